#!/usr/bin/env node
/** The only file that ends the process. */
import { main } from './main.ts'

// A reader that went away (`usher log | head`) is no error.
process.stdout.on('error', error => { if ('code' in error && error.code === 'EPIPE') process.exit(0); throw error })

process.exitCode = await main(process.argv.slice(2))
