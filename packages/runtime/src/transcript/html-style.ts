// How an exported page looks, by light and by dark.
export const style = `
:root { color-scheme: light dark; --text: #1f2328; --dim: #59636e; --page: #ffffff; --box: #f6f8fa; --line: #d1d9e0; --prompt: #0969da; --bad: #cf222e; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --dim: #9198a1; --page: #0d1117; --box: #151b23; --line: #3d444d; --prompt: #4493f8; --bad: #f85149; }
}
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: var(--text); background: var(--page); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2, h3 { margin: 0 0 .5rem; font-size: .85rem; font-weight: 600; color: var(--dim); }
h3 { margin-top: .75rem; }
time { font-weight: 400; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0 0 2rem; color: var(--dim); font-size: .9rem; }
dd { margin: 0; overflow-wrap: anywhere; }
section { margin: 0 0 1rem; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: .9rem/1.45 ui-monospace, monospace; }
.prompt { padding: .75rem 1rem; border-left: .25rem solid var(--prompt); background: var(--box); }
.answer { padding: .25rem 0; }
.call, .note { padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--box); }
.failed, .denied { border-color: var(--bad); }
summary { cursor: pointer; overflow-wrap: anywhere; }
.notice { color: var(--bad); }
`;
