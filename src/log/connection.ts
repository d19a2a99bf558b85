/** Opens the SQLite file with the settings that the promises rest on. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { UsherError } from '../errors.ts'
import { openBytes, openDatabase, type Db } from './db.ts'
import { logError, sqliteCode } from './failures.ts'
import { prepareFile, refuseOtherKinds, tightenModes } from './file-guard.ts'
import { APPLICATION_ID, MIGRATIONS, OLDEST_READABLE, SCHEMA_VERSION } from './schema.ts'
import { installViews } from './views.ts'

export interface OpenDb { readonly db: Db, readonly notes: readonly string[] }

/** Throws LOG_OPEN_FAILED, LOG_VERSION for a newer file, LOG_INVALID for another program's. `notes`: what was found otherwise and corrected. */
export function openForWriting(file: string, busyTimeoutMs: number): OpenDb {
  let db: Db | undefined
  try {
    prepareFile(file)
    db = openDatabase(file, { timeout: busyTimeoutMs })
    checkOwner(db, file)
    const notes = [...tightenModes(file), ...settle(db, file)]
    migrate(db, file)
    return { db, notes }
  } catch (cause) {
    db?.close()
    throw logError('LOG_OPEN_FAILED', 'cannot open the log', file, cause)
  }
}

/** For queries. Throws LOG_OPEN_FAILED when there is no such file. */
export function openForReading(file: string, busyTimeoutMs = 5000): Db {
  if (!existsSync(file)) throw new UsherError('LOG_OPEN_FAILED', `there is no log at ${file}; run something first, or name the file`)
  refuseOtherKinds(file)
  let db: Db | undefined
  try {
    db = openReadable(file, busyTimeoutMs)
    checkOwner(db, file)
    const version = versionOf(db)
    if (version === 0) throw new UsherError('LOG_INVALID', 'the file holds no log; it may have been cut off while it was made', { where: file })
    if (version < OLDEST_READABLE) throw new UsherError('LOG_VERSION', `the log has the older version ${version}; open it once for writing, which brings it to ${SCHEMA_VERSION}`, { where: file })
    return db
  } catch (cause) {
    db?.close()
    throw logError('LOG_OPEN_FAILED', 'cannot read the log', file, cause)
  }
}

/** A WAL file needs a writable folder even for reading; one that is at rest (a copy on a read-only disk) can be read without. */
function openReadable(file: string, timeout: number): Db {
  const atRest = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0
  const db = openDatabase(file, { timeout, readonly: true })
  try {
    db.pragma('schema_version')
    return db
  } catch (error) {
    db.close()
    if (!atRest || !/^SQLITE_(?:CANTOPEN|READONLY)/.test(sqliteCode(error))) throw error
    return openBytes(readFileSync(file))
  }
}

function pragma(db: Db, text: string): unknown {
  return db.pragma(text, { simple: true })
}

function versionOf(db: Db): number {
  return Number(pragma(db, 'user_version'))
}

function checkOwner(db: Db, file: string): void {
  const tables = Number(db.prepare('SELECT count(*) FROM sqlite_master').pluck().get())
  const owner = Number(pragma(db, 'application_id'))
  if (tables > 0 && owner !== APPLICATION_ID) throw new UsherError('LOG_INVALID', 'this SQLite file belongs to another program; name another file for the log', { where: file })
  const version = versionOf(db)
  if (version > SCHEMA_VERSION) throw new UsherError('LOG_VERSION', `the log has version ${version}, this Usher knows ${SCHEMA_VERSION}; use the newer Usher, or name another file`, { where: file })
}

/** synchronous belongs to the connection and better-sqlite3 builds SQLite with NORMAL for WAL files, so it is set and read back every time. */
function settle(db: Db, file: string): string[] {
  const notes: string[] = []
  const mode = String(pragma(db, 'journal_mode'))
  if (mode !== 'wal') {
    const now = String(pragma(db, 'journal_mode = WAL'))
    if (now !== 'wal') throw new UsherError('LOG_OPEN_FAILED', `the file stays in journal mode ${now}; WAL needs a local disk`, { where: file })
    if (versionOf(db) > 0) notes.push(`${file} was in journal mode ${mode}; it is WAL now`)
  }
  db.pragma('synchronous = FULL')
  db.pragma('fullfsync = ON')
  db.pragma('checkpoint_fullfsync = ON')
  // What retention drops must not stay readable in free pages.
  db.pragma('secure_delete = ON')
  db.pragma('cell_size_check = ON')
  const synchronous = Number(pragma(db, 'synchronous'))
  if (synchronous !== 2) throw new UsherError('LOG_OPEN_FAILED', `synchronous reads ${synchronous} after it was set to FULL (2)`, { where: file })
  return notes
}

function migrate(db: Db, file: string): void {
  db.transaction(() => {
    const version = versionOf(db)
    if (version > SCHEMA_VERSION) throw new UsherError('LOG_VERSION', `another process brought the log to version ${version}; this Usher knows ${SCHEMA_VERSION}`, { where: file })
    for (const sql of MIGRATIONS.slice(version)) db.exec(sql)
    if (version !== SCHEMA_VERSION) {
      db.pragma(`application_id = ${APPLICATION_ID}`)
      db.pragma(`user_version = ${SCHEMA_VERSION}`)
    }
    installViews(db)
  }).immediate()
}
