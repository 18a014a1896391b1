// Programs that run the program named in their arguments. Data: one entry a wrapper, `name` as typed.
import type { FlagTable } from "./flags.ts";

export interface Wrapper {
  /** Flags before the program. One that is not here leaves open where the program starts. */
  readonly flags: FlagTable;
  /** Operands before the program: timeout's duration, chroot's folder. */
  readonly skip?: number;
  /** Flags whose value is a shell text. */
  readonly textFlags?: readonly string[];
  /** Flags that turn the words into a shell text, or start a shell. */
  readonly shellFlags?: readonly string[];
  /** The words are joined and given to a shell. */
  readonly joins?: true;
  /** `NAME=value` words come before the program. */
  readonly assignments?: true;
  /** Without a program it starts a shell that reads its input. */
  readonly aloneIsShell?: true;
  /** Flags with which it only looks for the program. */
  readonly lookFlags?: readonly string[];
  /** Takes flags after its operands too, and gives what is left to a shell (su). */
  readonly permutes?: true;
  /** Words of unknown text are appended (xargs). */
  readonly appends?: true;
}

const plain: Wrapper = { flags: "" };
const shellAlone: Pick<Wrapper, "aloneIsShell"> = { aloneIsShell: true };

export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    "env",
    { flags: "-i -0 -v -u= -C= --ignore-environment --null --debug --unset= --chdir=", assignments: true },
  ],
  ["command", { flags: "-p -v -V", lookFlags: ["-v", "-V"] }],
  ["builtin", plain],
  ["exec", { flags: "-c -l -a=" }],
  [
    "sudo",
    {
      flags:
        "-A -B -b -E -H -K -k -n -N -P -S -V -v -l -u= -g= -h= -p= -C= -r= -t= -T= -U= -D= -R= -i -s " +
        "--askpass --background --bell --preserve-env=? --set-home --non-interactive --user= --group= --login --shell --stdin --preserve-groups --chdir=",
      shellFlags: ["-i", "-s", "--login", "--shell"],
      assignments: true,
    },
  ],
  ["doas", { flags: "-n -L -s -u= -C=", shellFlags: ["-s"] }],
  ["pkexec", { flags: "--user= --disable-internal-agent --keep-cwd", ...shellAlone }],
  ["gosu", { flags: "", skip: 1 }],
  ["su-exec", { flags: "", skip: 1 }],
  ["nice", { flags: "-n= -NUM --adjustment=" }],
  ["ionice", { flags: "-c= -n= -t -p= -P= -u= --class= --classdata= --ignore" }],
  [
    "chrt",
    { flags: "-a -b -d -f -i -m -o -r -R -T= -P= -D= -v --batch --fifo --other --rr --idle", skip: 1 },
  ],
  ["taskset", { flags: "-a -c --all-tasks --cpu-list", skip: 1 }],
  [
    "numactl",
    { flags: "-a -l -s -H -N= -m= -i= -p= -C= --all --cpunodebind= --membind= --interleave= --localalloc" },
  ],
  [
    "timeout",
    { flags: "-f -v -p -k= -s= --preserve-status --foreground --kill-after= --signal= --verbose", skip: 1 },
  ],
  ["stdbuf", { flags: "-i= -o= -e= --input= --output= --error=" }],
  ["setsid", { flags: "-c -f -w --ctty --fork --wait" }],
  ["nohup", plain],
  ["time", { flags: "-p -v -a -q -f= -o= --portability --verbose --append --quiet --format= --output=" }],
  ["busybox", plain],
  ["toybox", plain],
  [
    "flock",
    {
      flags:
        "-e -s -x -u -n -F -o -w= -E= -c= --exclusive --shared --unlock --nonblock --nb --timeout= --wait= --close --no-fork --verbose --conflict-exit-code= --command=",
      skip: 1,
      textFlags: ["-c", "--command"],
    },
  ],
  [
    "watch",
    {
      flags:
        "-b -c -d -e -g -p -t -w -x -n= -q= --beep --color --differences=? --errexit --chgexit --precise --no-title --interval= --no-wrap --exec",
      joins: true,
    },
  ],
  [
    "ssh",
    {
      flags:
        "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -B= -b= -c= -D= -E= -e= -I= -i= -J= -L= -l= -m= -p= -Q= -R= -S= -W= -w=",
      skip: 1,
      joins: true,
      ...shellAlone,
    },
  ],
  [
    "su",
    {
      flags: "-l -m -p -P -c= -g= -G= -s= -w= --command= --login --shell= --group=",
      textFlags: ["-c", "--command"],
      skip: 1,
      permutes: true,
      ...shellAlone,
    },
  ],
  [
    "runuser",
    {
      flags: "-l -m -p -P -u= -c= -g= -G= --command= --user= --login",
      textFlags: ["-c", "--command"],
      ...shellAlone,
    },
  ],
  ["sg", { flags: "-c=", skip: 1, textFlags: ["-c"], joins: true, ...shellAlone }],
  ["chroot", { flags: "--userspec= --groups= --skip-chdir", skip: 1, ...shellAlone }],
  [
    "unshare",
    {
      flags:
        "-i -m -n -p -u -U -C -T -f -r -c --map-root-user --map-current-user --fork --mount=? --net=? --pid=? --user=? --ipc=? --uts=? --cgroup=? --time=? --mount-proc=? --kill-child=? --keep-caps -R= -w= -S= -G= --root= --wd= --setuid= --setgid= --map-user= --map-group= --propagation= --setgroups=",
      ...shellAlone,
    },
  ],
  [
    "nsenter",
    {
      flags:
        "-a -m=? -u=? -i=? -n=? -p=? -U=? -C=? -T=? -r=? -w=? -F -Z -e -t= -S= -G= --all --target= --mount=? --net=? --pid=? --user=? --uts=? --ipc=? --setuid= --setgid= --no-fork",
      ...shellAlone,
    },
  ],
  [
    "setarch",
    {
      flags: "-R -F -Z -L -X -B -I -S -T -3 -v --addr-no-randomize --uname-2.6 --verbose",
      skip: 1,
      ...shellAlone,
    },
  ],
  ...["linux32", "linux64", "i386", "x86_64", "uname26"].map((name): [string, Wrapper] => [
    name,
    { flags: "-R -F -Z -L -X -B -I -S -T -3 -v", ...shellAlone },
  ]),
  [
    "prlimit",
    {
      flags:
        "-c=? -d=? -e=? -f=? -i=? -l=? -m=? -n=? -q=? -r=? -s=? -t=? -u=? -v=? -x=? -y=? --nofile=? --nproc=? --cpu=? --as=? --core=? --fsize=? --stack=?",
    },
  ],
  [
    "setpriv",
    {
      flags:
        "-d --dump --nnp --no-new-privs --clear-groups --keep-groups --init-groups --reset-env --reuid= --regid= --groups= --inh-caps= --bounding-set= --securebits= --pdeathsig= --ambient-caps= --ruid= --rgid= --euid= --egid=",
    },
  ],
  [
    "strace",
    {
      flags:
        "-f -ff -F -c -C -d -D -h -i -k -n -N -q -qq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -z -Z -e= -p= -s= -u= -E= -P= -a= -b= -I= -O= -S= -U= -X= --follow-forks",
    },
  ],
  [
    "ltrace",
    {
      flags:
        "-b -c -C -f -h -i -L -q -r -S -t -tt -T -V -a= -A= -D= -e= -F= -l= -n= -o= -p= -s= -u= -w= -x= -X=",
    },
  ],
  [
    "valgrind",
    {
      flags:
        "-q -v --quiet --verbose --tool= --leak-check= --error-exitcode= --log-file= --track-origins= --show-leak-kinds=",
    },
  ],
  [
    "xargs",
    {
      flags:
        "-0 -o -p -r -t -x -a= -d= -E= -e=? -i=? -I= -L= -l=? -n= -P= -s= --null --arg-file= --delimiter= --max-args= --max-procs= --max-lines=? --no-run-if-empty --verbose --interactive --replace=? --exit --max-chars= --open-tty",
      appends: true,
    },
  ],
  ["chronic", { flags: "-v -e" }],
  ["ifne", { flags: "-n" }],
  ["fakeroot", { flags: "-u -l= -s= -i= -b= --", ...shellAlone }],
  ["eatmydata", plain],
  ["dbus-run-session", { flags: "--config-file= --dbus-daemon=" }],
  ["coproc", plain],
  ["caffeinate", { flags: "-d -i -m -s -u -t= -w=" }],
  ["unbuffer", { flags: "-p" }],
  ["rlwrap", { flags: "-c -a -H= -f= -p= -s=" }],
]);

/** The dynamic loader runs the program that it is given. */
export function wrapperOf(name: string): Wrapper | undefined {
  if (/^ld(?:-.+)?\.so(?:\.\d+)?$|^ld-linux/u.test(name)) {
    return {
      flags: "--list --verify --inhibit-cache --library-path= --inhibit-rpath= --audit= --preload= --argv0=",
    };
  }
  return wrappers.get(name);
}
