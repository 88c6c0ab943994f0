/** The only reader of process.env. */
import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { modelFolder } from '@gatehouse/face-engine/model-folder'

export interface Config {
  port: number
  host: string
  dataDir: string
  /** Absent: the embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | null
  /** Absent: the embedded broker on `mqttPort`. */
  mqttUrl: string | null
  mqttPort: number
  /** A free port is taken where `mqttPort` is in use, unless the port was asked for. */
  mqttPortGiven: boolean
  /** `mqtt://host:port` or mqtts as devices are told; null: what follows from the broker's own address. */
  mqttDeviceUrl: string | null
  /** The embedded broker speaks TLS too; null: it does not. */
  mqttTls: BrokerTls | null
  /** Master key file; default DATA_DIR/secrets/master.key. */
  keyFile: string | null
  adminPassword: string | null
  seed: 'demo' | 'none'
  consoleDir: string | null
  /** Folder of a set of face models; null: the engine that is built in. */
  modelDir: string | null
  /** Worker threads of the face engine. */
  faceWorkers: number
  logLevel: string
  /** Months an access record is kept after the one it falls in; null: for ever. */
  recordMonths: number | null
  /** A deployment of the lite version: the specification names what it leaves out. */
  lite: boolean
  /** One organisation's own installation rather than a service for many: e-mail addresses need not be unique, data screens use http. */
  privatised: boolean
  /** Whether a slide captcha is asked for from the third failed login on. */
  captcha: boolean
  /** `smtp://user:password@host:port` or smtps; absent: messages stay in the outbox, where an administrator reads them. */
  smtpUrl: string | null
  /** Sender of e-mails. */
  mailFrom: string
  /** Public key in PEM that packages for terminals are signed by; null: only the terminals know whose they take. */
  upgradeKey: string | null
  /** Check every answer against the contract; on in tests and development. */
  checkAnswers: boolean
}

/** How the embedded broker shows who it is, in PEM. */
export interface BrokerTls {
  port: number
  certificate: string
  key: string
  /** Authority whose certificates devices must show beside their password; null: the password will do. */
  clientAuthority: string | null
}

type Environment = Record<string, string | undefined>

/** A value, or the content of the file that `<NAME>_FILE` names. @throws Error with a sentence where it cannot be read */
const secret = (env: Environment, name: string): string | null => env[name] ?? fileOf(env, `${name}_FILE`)?.trim() ?? null

/** The content of the file a variable names. @throws Error with a sentence where it cannot be read */
function fileOf(env: Environment, name: string): string | null {
  const path = env[name]
  if (path === undefined) return null
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${name} names ${path}, which cannot be read`, { cause: error })
  }
}

/** Where devices are to find the broker. @throws Error with a sentence for an address that is none, or one that holds an account */
function deviceUrl(env: Environment): string | null {
  const text = env['MQTT_DEVICE_URL']
  if (text === undefined) return null
  const url = URL.parse(text)
  if (url === null || !['mqtt:', 'mqtts:'].includes(url.protocol) || url.hostname === '' || url.username !== '')
    throw new Error('MQTT_DEVICE_URL must be mqtt://host:port or mqtts://host:port, without an account: each device has its own')
  return text
}

/** @throws Error with a sentence where one of certificate and key is missing */
function brokerTls(env: Environment): BrokerTls | null {
  const [certificate, key, clientAuthority] = ['MQTT_CERT_FILE', 'MQTT_KEY_FILE', 'MQTT_CLIENT_CA_FILE'].map((name) =>
    fileOf(env, name),
  ) as [string | null, string | null, string | null]
  if (certificate === null && key === null && clientAuthority === null) return null
  if (certificate === null || key === null) throw new Error('MQTT over TLS needs both MQTT_CERT_FILE and MQTT_KEY_FILE')
  return { port: port(env, 'MQTT_TLS_PORT', 8883), certificate, key, clientAuthority }
}

/** @throws Error with a sentence for something else than an Ed25519 public key */
function upgradeKey(env: Environment): string | null {
  const pem = fileOf(env, 'UPGRADE_KEY_FILE')
  if (pem === null) return null
  const isPublic = pem.includes('-----BEGIN PUBLIC KEY-----')
  try {
    if (isPublic && createPublicKey(pem).asymmetricKeyType === 'ed25519') return pem
  } catch {
    // Not even a key.
  }
  throw new Error('UPGRADE_KEY_FILE must name an Ed25519 public key in PEM')
}

/** A port number of the environment. @throws Error with a sentence for one that is none */
export function port(env: Environment, name: string, fallback: number): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > 65_535)
    throw new Error(`${name} must be a port number from 0 to 65535, not "${text}"`)
  return value
}

/** A number of months, at least one; null where none is given. */
function months(env: Environment, name: string): number | null {
  const text = env[name]
  if (text === undefined) return null
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 1200)
    throw new Error(`${name} must be a number of months from 1 to 1200, not "${text}"`)
  return value
}

/** `on` or `off`. */
function onOff(env: Environment, name: string, fallback: boolean): boolean {
  const text = env[name]
  if (text === undefined) return fallback
  if (text !== 'on' && text !== 'off') throw new Error(`${name} must be on or off, not "${text}"`)
  return text === 'on'
}

/** Threads of the face engine. */
function workers(env: Environment): number {
  const text = env['FACE_WORKERS'] ?? '1'
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 8) throw new Error(`FACE_WORKERS must be a number from 1 to 8, not "${text}"`)
  return value
}

/** Reads the environment once; a value that makes no sense ends the start with a sentence. An empty one counts as none. */
export function readConfig(environment: Environment = process.env): Config {
  const env = new Proxy(environment, { get: (all, name) => (typeof name === 'string' && all[name]) || undefined })
  return {
    port: port(env, 'PORT', 8080),
    host: env['HOST'] ?? '0.0.0.0',
    dataDir: resolve(env['DATA_DIR'] ?? './data'),
    databaseUrl: secret(env, 'DATABASE_URL'),
    mqttUrl: secret(env, 'MQTT_URL'),
    mqttPort: port(env, 'MQTT_PORT', 1883),
    mqttPortGiven: env['MQTT_PORT'] !== undefined,
    mqttDeviceUrl: deviceUrl(env),
    mqttTls: brokerTls(env),
    keyFile: env['KEY_FILE'] ?? null,
    adminPassword: secret(env, 'ADMIN_PASSWORD'),
    seed: env['SEED'] === 'demo' ? 'demo' : 'none',
    consoleDir: resolve(import.meta.dirname, '../../console/dist'),
    modelDir: modelFolder(env['MODEL_DIR']),
    faceWorkers: workers(env),
    logLevel: env['LOG_LEVEL'] ?? 'info',
    recordMonths: months(env, 'RECORD_MONTHS'),
    lite: onOff(env, 'LITE', false),
    privatised: onOff(env, 'PRIVATISED', true),
    captcha: onOff(env, 'CAPTCHA', true),
    smtpUrl: secret(env, 'SMTP_URL'),
    mailFrom: env['MAIL_FROM'] ?? 'Gatehouse <gatehouse@localhost>',
    upgradeKey: upgradeKey(env),
    checkAnswers: env['CHECK_ANSWERS'] === 'on',
  }
}
