// Holds the write lock of a SQLite file until its standard input ends. Says "held" once it has it.
import Database from 'better-sqlite3'

const db = new Database(process.argv[2])
db.exec('BEGIN IMMEDIATE')
process.stdout.write('held\n')
process.stdin.on('end', () => { db.exec('COMMIT'); db.close() }).resume()
