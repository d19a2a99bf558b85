/** What the observer inside a Node process cannot see or stop. The README prints these sentences; a test compares the two. */
export const OBSERVER_LIMITS: readonly string[] = [
  'Native addons: what compiled code does by itself (also SQLite files, `node:sqlite` and WASI) is not seen. Loading an addon is an effect, `native.load`.',
  '`process.binding` and other ways to Node\'s internals: asking for a binding is an effect, `native.load`, what is done with it is not seen.',
  'Functions that somebody kept before the observer was installed, and work that ran already. The self-check names what it finds; install the observer first.',
  'Worker threads, ESM loader hooks and child processes: their start is an effect, and what they do is seen only by the preloads and `strace`.',
  'Start-up files that a program finds by itself (by `HOME`, by its working folder) and environment that only one program knows: a known variable that changes what runs (`PATH`, `LD_PRELOAD`, `BASH_ENV`, `NODE_OPTIONS`, ...) is judged as `process.start:env:NAME`, others are not; nor is what a child then starts with it.',
  'Writes to pipes, sockets and terminals that were open before the call, such as a child\'s standard input, and writes to the standard streams.',
  'A call\'s work that a queue of the host takes over (a connection pool, a job queue) counts for whoever the queue runs it for: by Node\'s AsyncLocalStorage, often the one before.',
  'Reads: of files, of the environment, of the screen. They are no effects here.',
  'Changes within the process: a tool that changes `process.env`, the working folder or another module\'s objects has no effect here, and changes what later calls do.',
  'Code that sets out to get round it, in the same process: it is a record and a guard against mistakes, and no sandbox.',
]

/** The same for `strace`. */
export const STRACE_LIMITS: readonly string[] = [
  'What goes through `io_uring`, a memory map or a descriptor that came from outside the traced program.',
  'Set-user-id programs, which lose their privilege under `strace`, and machines that forbid `ptrace`.',
  'The content of encrypted connections: a connection has an address, and a name only where the look-up was seen.',
]

/** The same for children that report. */
export const CHILD_LIMITS: readonly string[] = [
  'A child that drops the environment, a Python started with `-I`, `-E` or `-S`, a program in another language: it does not report, and `reported` says so where no child did.',
  'Compiled code inside a child, and Node worker threads that are started from text.',
  'Python\'s `multiprocessing` starts its helpers without an audit event; each then says by itself that it is there.',
  'A child is held back (Node and Python; nothing stops a compiled one) to what the call in flight on its connection may do. With several calls in flight that is what any of them may do, what a call leaves running counts for the next one, and between two calls nothing is held back: what happens then is recorded under no call.',
  'A child that an older Node than 18.18 runs refuses to start with the preload; `watch: \'off\'` starts it without.',
  'A report is written by the child: it is evidence of what a careless child does, and a hostile one can leave lines out or make them up.',
]
