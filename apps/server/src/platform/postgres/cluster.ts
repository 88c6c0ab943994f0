/** The database files: created once, checked at every start. */
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { giveTo, PROGRAM_ENVIRONMENT, type PostgresAccount } from './account.ts'
import { openSecrets } from '../encryption/secrets.ts'
import { programPath, type PostgresPrograms } from './programs.ts'
import { ADMINISTRATOR_ROLE } from './roles.ts'

const PASSWORD_SECRET = 'postgres-password'
const APPLICATION_PASSWORD_SECRET = 'postgres-application-password'

/**
 * UTF-8 locales to try. Character classes come from the operating system, and under plain `C` the trigram index finds no letter in a
 * Chinese name. Which UTF-8 locale exists differs by system.
 */
const CHARACTER_LOCALES = ['C.UTF-8', 'en_US.UTF-8', 'C']

const newPassword = (): string => randomBytes(24).toString('base64url')

/**
 * Return the administrator's password, which is created at the first start. @throws Error with a sentence where it is missing for an
 * existing cluster
 */
export async function databasePassword(dataDir: string, clusterExists: boolean): Promise<string> {
  const secrets = openSecrets(dataDir)
  if (clusterExists && !secrets.has(PASSWORD_SECRET)) {
    throw new Error(
      `The password of the built-in database is missing: ${join(dataDir, 'secrets', PASSWORD_SECRET)}. ` +
        'Restore that file from the backup of its data directory.',
    )
  }
  return secrets.keep(PASSWORD_SECRET, newPassword)
}

/** Return the password of the role the server connects as. It is set again at every start, so a missing one is created. */
export const applicationPassword = (dataDir: string): Promise<string> => openSecrets(dataDir).keep(APPLICATION_PASSWORD_SECRET, newPassword)

/** Return whether this database was ever started by a release that has the server's own role. */
export const hasApplicationRole = (dataDir: string): boolean => openSecrets(dataDir).has(APPLICATION_PASSWORD_SECRET)

/**
 * Return the absolute folder of the database files below `folder`, created where it is missing. An interrupted first start leaves nothing
 * behind that a later one would take for a database.
 */
export async function openCluster(options: {
  folder: string
  programs: PostgresPrograms
  account: PostgresAccount
  password: string
  durable: boolean
}): Promise<string> {
  const cluster = join(options.folder, 'cluster')
  if (!existsSync(cluster)) await createCluster(cluster, options)
  const real = realpathSync(cluster)
  const found = readFileSync(join(real, 'PG_VERSION'), 'utf8').trim()
  const brought = options.programs.version.split('.')[0]
  if (found !== brought) {
    throw new Error(
      `The database in ${cluster} was written by PostgreSQL ${found}, this release brings ${brought}. ` +
        'Export it with the release that wrote it and import it here.',
    )
  }
  giveTo(options.account, real)
  return real
}

async function createCluster(
  cluster: string,
  { account, password, durable }: { account: PostgresAccount; password: string; durable: boolean },
): Promise<void> {
  const place = account.sheltered ? join(account.sheltered, `cluster-${randomUUID()}`) : cluster
  const unfinished = `${place}.unfinished`
  const passwordFile = `${place}.password`
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 })
    own(account, passwordFile)
    await initialise(unfinished, passwordFile, account, durable)
    renameSync(unfinished, place)
    if (place !== cluster) symlinkSync(place, cluster)
  } finally {
    rmSync(passwordFile, { force: true })
    rmSync(unfinished, { recursive: true, force: true })
  }
}

async function initialise(folder: string, passwordFile: string, account: PostgresAccount, durable: boolean): Promise<void> {
  let answer = ''
  for (const characterLocale of CHARACTER_LOCALES) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    chmodSync(folder, 0o700)
    own(account, folder)
    const access = ['--username', ADMINISTRATOR_ROLE, '--pwfile', passwordFile, '--auth=scram-sha-256']
    const encoding = [
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      `--lc-ctype=${characterLocale}`,
    ]
    const words = ['-D', folder, ...access, ...encoding, ...(durable ? [] : ['--no-sync'])]
    const child = spawnProgram(account, 'initdb', words)
    answer = await text(child.stderr)
    if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === 0) return
    if (!answer.includes('locale')) break
  }
  throw new Error(`The database could not be created in ${dirname(folder)}/${basename(folder)}: ${answer.trim()}`)
}

/** Start one of PostgreSQL's programs under the chosen account, outside our own process group so that Ctrl-C does not reach it. */
export function spawnProgram(account: PostgresAccount, program: 'initdb' | 'postgres', words: readonly string[]) {
  const [command = '', ...rest] = [...account.commandPrefix, programPath(account.programsRoot, program), ...words]
  return spawn(command, rest, {
    ...account.identity,
    cwd: '/',
    env: PROGRAM_ENVIRONMENT,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

function own(account: PostgresAccount, path: string): void {
  if (account.owner) chownSync(path, account.owner.uid, account.owner.gid)
}
