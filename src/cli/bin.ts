#!/usr/bin/env node
/** The only file that ends the process. */

// Claude Code lets a tool run at any code but 2: also where the program does not even load.
if (process.argv[2] === 'hook') process.on('exit', code => { if (code !== 0) process.exitCode = 2 })

// A reader that went away (`usher log | head`) is no error.
process.stdout.on('error', error => { if ('code' in error && error.code === 'EPIPE') process.exit(0); throw error })

const { main } = await import('./main.ts')
process.exitCode = await main(process.argv.slice(2))
