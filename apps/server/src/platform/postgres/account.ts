/**
 * The account that the built-in database runs under, and the place of its files so that this account reaches them. PostgreSQL refuses to
 * run as root, and initdb refuses an account without a name.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { programPath, type PostgresPrograms } from './programs.ts'

export interface PostgresAccount {
  /** Folder of the programs; a copy where the account cannot reach the installed ones. */
  programsRoot: string
  /** Words put before each command line. */
  commandPrefix: readonly string[]
  /** Account to switch to; absent: the present one. */
  identity?: { uid: number; gid: number }
  /** Owner that the files must be given to; absent: nothing to change. */
  owner?: { uid: number; gid: number }
  /** Folder for the database files where the data directory cannot be reached. */
  sheltered?: string
}

/** The programs do not inherit our environment, which may contain secrets. */
export const PROGRAM_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** Where root keeps a copy that the unprivileged account can reach. */
const SHELTER = '/var/lib/gatehouse'

/**
 * Choose the account for database files below `folder` (which exists). In this order: the present account; as root the account `nobody`
 * where it reaches both programs and files; a user namespace in which the present account is called `nobody`; as root a copy below
 * `shelter`.
 * @throws Error with a sentence for the operator where none of these works
 */
export function choosePostgresAccount(programs: PostgresPrograms, folder: string, shelter = SHELTER): PostgresAccount {
  const isRoot = process.getuid?.() === 0
  if (!isRoot && hasName()) return { programsRoot: programs.root, commandPrefix: [] }
  const nobody = accountNobody()
  if (isRoot && nobody && reaches(nobody, programs.root, folder)) {
    return { programsRoot: programs.root, commandPrefix: [], identity: nobody, owner: nobody }
  }
  const namespaced = nobody && ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`, '--']
  if (namespaced && runsIn(namespaced, programs.root)) {
    const owner = isRoot ? { uid: 0, gid: 0 } : undefined
    return { programsRoot: programs.root, commandPrefix: namespaced, ...(owner && { owner }) }
  }
  if (isRoot && nobody) {
    const programsRoot = copyPrograms(programs, shelter)
    if (reaches(nobody, programsRoot, shelter)) {
      return { programsRoot, commandPrefix: [], identity: nobody, owner: nobody, sheltered: shelter }
    }
  }
  throw new Error(
    `The built-in PostgreSQL cannot run under this account: it must not be root, and no unprivileged account reaches ${folder}. ` +
      'Start as an ordinary user, move the installation out of the home directory of root, ' +
      'or set DATABASE_URL to a PostgreSQL 15 or newer.',
  )
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

/** Return the fields of each account of this machine: name, password, user, group and so on. */
const accounts = (): string[][] =>
  existsSync('/etc/passwd')
    ? readFileSync('/etc/passwd', 'utf8')
        .split('\n')
        .map((line) => line.split(':'))
    : []

function accountNobody(): { uid: number; gid: number } | undefined {
  const fields = accounts().find(([name]) => name === 'nobody')
  const uid = Number(fields?.[2])
  const gid = Number(fields?.[3])
  return uid > 0 && gid > 0 ? { uid, gid } : undefined
}

/**
 * Return whether an account can run the programs and enter the folder. It is tried, not read from permission bits: access lists and mount
 * options count too.
 */
function reaches(account: { uid: number; gid: number }, programsRoot: string, folder: string): boolean {
  const script = 'cd "$2" && "$1" --version'
  const result = spawnSync('/bin/sh', ['-c', script, 'sh', programPath(programsRoot, 'postgres'), folder], {
    ...account,
    cwd: '/',
    env: PROGRAM_ENVIRONMENT,
    stdio: 'ignore',
  })
  return result.status === 0
}

function runsIn(prefix: readonly string[], programsRoot: string): boolean {
  const [command = '', ...words] = prefix
  return (
    spawnSync(command, [...words, programPath(programsRoot, 'postgres'), '--version'], { env: PROGRAM_ENVIRONMENT, stdio: 'ignore' })
      .status === 0
  )
}

function copyPrograms(programs: PostgresPrograms, shelter: string): string {
  const target = join(shelter, `postgresql-${programs.version}`)
  if (existsSync(target)) return target
  mkdirSync(shelter, { recursive: true, mode: 0o711 })
  const unfinished = `${target}.${process.pid}`
  cpSync(programs.root, unfinished, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(unfinished, target)
  } catch (error) {
    rmSync(unfinished, { recursive: true })
    if (!existsSync(target)) throw error
  }
  return target
}

/**
 * Assert that this process may write to the folder. Root may write everywhere, but the account whose server uses the folder cannot access
 * what root writes or hands over there.
 * @throws Error with a sentence where we are root and the folder belongs to another account
 */
export function assertOurs(folder: string): void {
  if (process.getuid?.() !== 0) return
  const { uid } = statSync(folder)
  if (uid === 0 || uid === accountNobody()?.uid) return
  const name = accounts().find(([, , number]) => Number(number) === uid)?.[0] ?? String(uid)
  throw new Error(`${folder} belongs to the account ${name}. Run this as that account: sudo -u ${name} …`)
}

/**
 * Give everything below `folder` to the account; quick where it already owns it.
 * @throws Error with a sentence where a third account owns it
 */
export function giveTo(account: PostgresAccount, folder: string): void {
  if (!account.owner || statSync(folder).uid === account.owner.uid) return
  assertOurs(folder)
  const { uid, gid } = account.owner
  const result = spawnSync('chown', ['-R', `${uid}:${gid}`, folder], { encoding: 'utf8' })
  if (result.status !== 0) throw new Error(`The database files in ${dirname(folder)} could not be handed over: ${result.stderr}`)
}
