// The program inside the sandbox: runs one command after the other in real bash and writes down which ran the canary.

/**
 * Reads /in/N for N = 1…, runs each in its own copy of /template, and appends `N ran|idle same|changed` to /out/results.
 * What a command leaves running is ended before the next one: `kill -9 -1` spares the driver and bubblewrap alone, and
 * unlike a walk over /proc it is one step for the kernel, which a command that keeps forking cannot outrun. That the
 * driver is in a process namespace of its own is checked first.
 */
export const driver = String.raw`
[ "$(cat /proc/1/comm)" = bwrap ] || exit 9
ulimit -f 20000 -v 6000000 -n 256 -c 0
export PATH=/canary/bin:/usr/bin:/bin:/python/bin HOME=/home LC_ALL=C.UTF-8
exec 2>/dev/null
snapshot() { find /scratch/$1 /tmp /home -printf '%p %y %s %T@ %m %l\n' | sort; }
n=1
while [ -e /in/$n ]; do
  cp -r /template /scratch/$n
  cd /scratch/$n
  : > /log/hits
  watched=no command=
  [ -e /in/$n.watched ] && watched=yes
  IFS= read -r -d "" command < /in/$n
  [ "$watched" = yes ] && before=$(snapshot $n)
  timeout -s KILL 1.5 bash -c "$command" bash < /dev/null > /dev/null 2>&1
  kill -9 -1
  changed=same
  [ "$watched" = yes ] && [ "$before" != "$(snapshot $n)" ] && changed=changed
  if [ -s /log/hits ]; then ran=ran; else ran=idle; fi
  echo "$n $ran $changed" >> /out/results
  cd /
  n=$((n + 1))
done
echo end >> /out/results
`;

/** What the commands find in their folder: names that become flags when a pattern matches them, among others. */
export const template: Readonly<Record<string, string>> = {
  "notes.txt": "zap\nbeta\nalpha\n",
  "list.txt": "one two\nthree four\n",
  "data.json": '{"a": ["zap", 1]}\n',
  "-exec": "x\n",
  "--output=made": "x\n",
  "-o": "x\n",
  "src/a.txt": "alpha\n",
  "src/b.txt": "beta\n",
};

export const canaryProgram = "#!/bin/sh\necho ran >> /log/hits\n";
