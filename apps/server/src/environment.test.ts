/** Settings for which a start is refused: each kind of variable, and several at once. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from './config.ts'
import { SettingsInvalid } from './environment.ts'

/** The message of a refusal. */
function refusal(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsInvalid)
    return (error as Error).message
  }
  return 'not refused'
}

test.each([
  // Whole numbers.
  [{ FACE_WORKERS: 'three' }, 'FACE_WORKERS must be a number from 1 to 8, not "three"'],
  [{ FACE_WORKERS: '1.5' }, 'FACE_WORKERS must be a number from 1 to 8, not "1.5"'],
  [{ PORT: '99999' }, 'PORT must be a port number from 0 to 65535, not "99999"'],
  [{ MQTT_PORT: '-1' }, 'MQTT_PORT must be a port number from 0 to 65535, not "-1"'],
  [{ RECORD_MONTHS: 'all' }, 'RECORD_MONTHS must be a number of months from 1 to 1200, not "all"'],
  // Words.
  [{ SEED: 'x' }, 'SEED must be demo or none, not "x"'],
  [{ TLS: 'TLS1.3' }, 'TLS must be off, self or files, not "TLS1.3"'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent, not "loud"'],
  [{ LITE: 'yes' }, 'LITE must be on or off, not "yes"'],
  [{ CHECK_ANSWERS: 'true' }, 'CHECK_ANSWERS must be on or off, not "true"'],
  // Names and addresses.
  [{ HOST: 'http://gate' }, 'HOST must be an address or a name this machine listens at, not "http://gate"'],
  [{ MAIL_FROM: 'Gatehouse' }, 'MAIL_FROM must be an address such as gate@example.org or Gatehouse <gate@example.org>, not "Gatehouse"'],
  [
    { MQTT_DEVICE_URL: 'broker:1883' },
    'MQTT_DEVICE_URL must be mqtt://host:port or mqtts://host:port, without an account: each device has its own',
  ],
  // Secrets, which are not repeated.
  [{ DATABASE_URL: 'nonsense' }, 'DATABASE_URL must be postgres://user:password@host:port/database'],
  [{ DATABASE_URL: 'mysql://a:b@host/db' }, 'DATABASE_URL must be postgres://user:password@host:port/database'],
  [
    { STORAGE_URL: 'nonsense' },
    'STORAGE_URL must be s3://key:secret@host:port/bucket, with %2F for each / of the secret and %2B for each +',
  ],
  [{ MQTT_URL: 'nonsense' }, 'MQTT_URL must be mqtt://user:password@host:port or mqtts://user:password@host:port'],
  [{ MQTT_URL: 'mqtt://user:a%b@host' }, 'MQTT_URL must have %25 for each % of its user and password'],
  [{ SMTP_URL: 'nonsense' }, 'SMTP_URL must be smtp://user:password@host:port or smtps://user:password@host:port'],
  // Files and folders.
  [{ DATABASE_URL_FILE: '/missing' }, 'DATABASE_URL_FILE names /missing, which cannot be read'],
  [{ UPGRADE_KEY_FILE: '/missing' }, 'UPGRADE_KEY_FILE names /missing, which cannot be read'],
])('%o is refused', (environment, sentence) => {
  expect(refusal(environment)).toBe(sentence)
})

test('a folder without models is refused', () => {
  expect(refusal({ MODEL_DIR: '/missing' })).toMatch(/^MODEL_DIR must be a folder of face models: \/missing holds no set of models/)
})

test('a file of a secret is read, unless it is empty or the secret itself is set', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-environment-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const fileWith = (content: string): string => {
    const path = join(folder, 'secret')
    writeFileSync(path, content)
    return path
  }
  expect(readConfig({ DATABASE_URL_FILE: fileWith(' postgres://a:b@host/db\n') }).databaseUrl).toBe('postgres://a:b@host/db')
  expect(refusal({ DATABASE_URL_FILE: fileWith('nonsense') })).toBe('DATABASE_URL must be postgres://user:password@host:port/database')
  const empty = fileWith('\n')
  expect(refusal({ DATABASE_URL_FILE: empty })).toBe(`DATABASE_URL_FILE names ${empty}, which is empty`)
  // Emptied after the first start, the only one that needs it.
  expect(readConfig({ ADMIN_PASSWORD_FILE: empty }).adminPassword).toBeNull()
  expect(readConfig({ ADMIN_PASSWORD: 'secret', ADMIN_PASSWORD_FILE: '/missing' }).adminPassword).toBe('secret')
})

test.each([
  'postgres://gatehouse:secret@127.0.0.1:5432/gatehouse',
  'postgresql://host/db?sslmode=require',
  'postgres://a:b@/db?host=/var/run/postgresql',
  '/var/run/postgresql gatehouse',
  'socket:/var/run/postgresql?db=gatehouse',
])('%s is an address of a database', (address) => {
  expect(readConfig({ DATABASE_URL: address }).databaseUrl).toBe(address)
})

test('an empty value counts as not set', () => {
  expect(readConfig({ PORT: '', SEED: '', LITE: '', DATABASE_URL: '', LOG_LEVEL: '', MODEL_DIR: '', UPGRADE_KEY_FILE: '' })).toEqual(
    readConfig({}),
  )
})

test('all that makes no sense is said at once, and what is a secret is not repeated', () => {
  const message = refusal({
    FACE_WORKERS: 'three',
    SEED: 'x',
    STORAGE_URL: 's3://key:hidden',
    ADMIN_PASSWORD_FILE: '/missing',
    TLS_CERT_FILE: '/a.crt',
  })
  expect(message.split('\n')).toEqual([
    '5 settings make no sense:',
    '  ADMIN_PASSWORD_FILE names /missing, which cannot be read',
    '  STORAGE_URL must be s3://key:secret@host:port/bucket, with %2F for each / of the secret and %2B for each +',
    '  SEED must be demo or none, not "x"',
    '  FACE_WORKERS must be a number from 1 to 8, not "three"',
    '  TLS_CERT_FILE and TLS_KEY_FILE need TLS=files',
  ])
})

test('the server ends with exit code 1 and sentences alone', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { PATH: process.env['PATH'], FACE_WORKERS: 'three', SEED: 'x' },
    encoding: 'utf8',
  })
  expect({ status, lines: stdout.trimEnd().split('\n'), hasTrace: /^ +at /m.test(stdout + stderr) }).toEqual({
    status: 1,
    lines: [
      'Gatehouse did not start: 2 settings make no sense:',
      '  SEED must be demo or none, not "x"',
      '  FACE_WORKERS must be a number from 1 to 8, not "three"',
    ],
    hasTrace: false,
  })
})
