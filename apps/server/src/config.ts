/** The only reader of process.env. */
import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { CaptchaWork } from '@gatehouse/contract/identity/captcha'
import { modelFolder } from '@gatehouse/face-engine/model-folder'
import { mailTransport } from './platform/messages/mail-transport.ts'

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
  /** The embedded broker speaks TLS with a certificate of its own; null: with that of `tls`, where there is one. */
  mqttTls: BrokerTls | null
  /** Where the embedded broker speaks TLS; with `mqttPortGiven` false another free port is taken where it is in use. */
  mqttTlsPort: number
  /** How the server shows who it is over https; null: it speaks plain http. */
  tls: ServerTls | null
  /** Addresses and networks of proxies whose word on who asks, and how, is taken; `loopback` and its like are names of such. */
  trustProxy: string[]
  /** Whether `trustProxy` was asked for: somebody has put a proxy there. */
  trustProxyGiven: boolean
  /** Certificates that proxies show in the server's place: terminals are told that these are right. */
  proxyCertificateFiles: string[]
  /** Master key file; default DATA_DIR/secrets/master.key. */
  keyFile: string | null
  adminPassword: string | null
  /** Hours after its login a user's session ends, however often it is refreshed. */
  sessionHours: number
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
  /** Whether the upgrade service runs beside the server, at the port the specification names: the console's menu leads there. */
  upgradeService: boolean
  /** Whether a slide captcha is asked for from the third failed login on. */
  captcha: boolean
  /** What is computed with each answer to a captcha. */
  captchaWork: Pick<CaptchaWork, 'cost' | 'bits'>
  /** `smtp://user:password@host:port` or smtps, with `?tls=off` where it may go in clear; absent: messages stay in the outbox, where an administrator reads them. */
  smtpUrl: string | null
  /** Sender of e-mails. */
  mailFrom: string
  /** Public key in PEM that packages for terminals are signed by; null: only the terminals know whose they take. */
  upgradeKey: string | null
  /** Check every answer against the contract; on in tests and development. */
  checkAnswers: boolean
}

/** `self`: by a certificate of its own making, for these names too. `files`: by one somebody else writes, and renews. */
export type ServerTls = { kind: 'self'; names: string[] } | { kind: 'files'; certificateFile: string; keyFile: string }

/** How the embedded broker shows who it is; files are in PEM. */
export interface BrokerTls {
  certificateFile: string
  keyFile: string
  /** Authority whose certificates devices must show beside their password; null: the password will do. */
  clientAuthority: string | null
}

/** 8 MB and some 20 ms for the server, sixteen times that for a program, and about a second for a browser, while its user moves the piece. */
const CAPTCHA_WORK = { cost: 8192, bits: 4 } as const

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
  const [certificateFile, keyFile, clientAuthority] = [env['MQTT_CERT_FILE'], env['MQTT_KEY_FILE'], fileOf(env, 'MQTT_CLIENT_CA_FILE')]
  if (certificateFile === undefined && keyFile === undefined && clientAuthority === null) return null
  if (certificateFile === undefined || keyFile === undefined) throw new Error('MQTT over TLS needs both MQTT_CERT_FILE and MQTT_KEY_FILE')
  return { certificateFile, keyFile, clientAuthority }
}

/** @throws Error with a sentence for another word, or where files are not named as they should be */
function serverTls(env: Environment): ServerTls | null {
  const kind = env['TLS'] ?? 'off'
  const [certificateFile, keyFile] = [env['TLS_CERT_FILE'], env['TLS_KEY_FILE']]
  const names = listOf(env, 'TLS_NAMES').map((name) => name.toLowerCase())
  if (kind === 'files') {
    if (certificateFile === undefined || keyFile === undefined) throw new Error('TLS=files needs both TLS_CERT_FILE and TLS_KEY_FILE')
    return { kind, certificateFile, keyFile }
  }
  if (certificateFile !== undefined || keyFile !== undefined) throw new Error('TLS_CERT_FILE and TLS_KEY_FILE need TLS=files')
  if (kind === 'off') return null
  if (kind !== 'self') throw new Error(`TLS must be off, self or files, not "${kind}"`)
  const wrong = names.find((name) => isIP(name) === 0 && !/^(?=.{1,253}$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name))
  if (wrong !== undefined) throw new Error(`TLS_NAMES must be names and addresses this machine is reached at, not "${wrong}"`)
  return { kind, names }
}

/** Parts of a value with commas between them. */
const listOf = (env: Environment, name: string): string[] =>
  (env[name] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** @throws Error with a sentence for what is neither an address nor a network, or would be everybody */
function trustedProxies(env: Environment): string[] {
  const all = env['TRUST_PROXY'] === undefined ? ['loopback'] : listOf(env, 'TRUST_PROXY')
  if (all.length === 1 && all[0] === 'off') return []
  for (const one of all) {
    const [address = '', bits, ...more] = one.split('/')
    const most = { 4: 32, 6: 128 }[isIP(address)]
    const isNetwork =
      most !== undefined && more.length === 0 && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most))
    if (!isNetwork && !PROXY_NAMES.includes(one))
      throw new Error(
        `TRUST_PROXY must be off, or addresses and networks such as 10.0.0.5 or 172.16.0.0/12, or one of ${PROXY_NAMES.join(', ')}, not "${one}"`,
      )
  }
  return all
}
const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal']

/** @throws Error with a sentence for what is no address of a mail server */
function smtpUrl(env: Environment): string | null {
  const text = secret(env, 'SMTP_URL')
  if (text !== null) mailTransport(text)
  return text
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

/** A whole number within bounds; null where none is given. @param what completes "NAME must be …" */
function wholeNumber(env: Environment, name: string, what: string, [least, most]: readonly [number, number]): number | null {
  const text = env[name]
  if (text === undefined || text === '') return null
  const value = Number(text)
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Error(`${name} must be ${what} from ${least} to ${most}, not "${text}"`)
  return value
}

/** A port number of the environment. @throws Error with a sentence for one that is none */
export const port = (env: Environment, name: string, fallback: number): number =>
  wholeNumber(env, name, 'a port number', [0, 65_535]) ?? fallback

/** `on` or `off`. */
function onOff(env: Environment, name: string, fallback: boolean): boolean {
  const text = env[name]
  if (text === undefined) return fallback
  if (text !== 'on' && text !== 'off') throw new Error(`${name} must be on or off, not "${text}"`)
  return text === 'on'
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
    mqttTlsPort: port(env, 'MQTT_TLS_PORT', 8883),
    tls: serverTls(env),
    trustProxy: trustedProxies(env),
    trustProxyGiven: env['TRUST_PROXY'] !== undefined,
    proxyCertificateFiles: listOf(env, 'PROXY_CERT_FILE'),
    keyFile: env['KEY_FILE'] ?? null,
    adminPassword: secret(env, 'ADMIN_PASSWORD'),
    sessionHours: wholeNumber(env, 'SESSION_HOURS', 'a number of hours', [1, 168]) ?? 12,
    seed: env['SEED'] === 'demo' ? 'demo' : 'none',
    consoleDir: resolve(import.meta.dirname, '../../console/dist'),
    modelDir: modelFolder(env['MODEL_DIR']),
    faceWorkers: wholeNumber(env, 'FACE_WORKERS', 'a number', [1, 8]) ?? 1,
    logLevel: env['LOG_LEVEL'] ?? 'info',
    recordMonths: wholeNumber(env, 'RECORD_MONTHS', 'a number of months', [1, 1200]),
    lite: onOff(env, 'LITE', false),
    privatised: onOff(env, 'PRIVATISED', true),
    upgradeService: onOff(env, 'UPGRADE_SERVICE', false),
    captcha: onOff(env, 'CAPTCHA', true),
    captchaWork: CAPTCHA_WORK,
    smtpUrl: smtpUrl(env),
    mailFrom: env['MAIL_FROM'] ?? 'Gatehouse <gatehouse@localhost>',
    upgradeKey: upgradeKey(env),
    checkAnswers: env['CHECK_ANSWERS'] === 'on',
  }
}
