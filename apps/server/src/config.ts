/** The settings of the server. Only this file reads process.env. */
import { totalmem } from 'node:os'
import { resolve } from 'node:path'
import type { CaptchaWork } from '@gatehouse/contract/identity/captcha'
import type { z } from 'zod'
import { readEnvironment, type Environment } from './environment.ts'
import type { BucketAddress } from './platform/storage/bucket-address.ts'
import { contradictions, serverVariables } from './variables.ts'

export interface Config {
  port: number
  host: string
  dataDir: string
  /** Null: the embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | null
  /** The bucket of stored files; null: the folder `files` under `dataDir`. */
  storage: BucketAddress | null
  /** Null: the embedded broker on `mqttPort`. */
  mqttUrl: string | null
  mqttPort: number
  /** Whether `mqttPort` was set; otherwise a free port is used if it is taken. */
  mqttPortGiven: boolean
  /** `mqtt://host:port` or `mqtts://host:port` for devices; null: derived from the broker's own address. */
  mqttDeviceUrl: string | null
  /** A certificate of the embedded broker's own; null: that of `tls`, where there is one. */
  mqttTls: BrokerTls | null
  /** Port of the embedded broker with TLS; if `mqttPortGiven` is false, another free port is used when it is taken. */
  mqttTlsPort: number
  /** How the server identifies itself over https; null: it speaks plain http. */
  tls: ServerTls | null
  /**
   * Addresses and networks of proxies whose headers about the client and its protocol are trusted; `loopback` and similar names stand for
   * networks.
   */
  trustProxy: string[]
  /** Whether `trustProxy` was set, which means that there is a proxy. */
  trustProxyGiven: boolean
  /** Certificates that proxies present in the server's place, which terminals are told to accept. */
  proxyCertificateFiles: string[]
  /** Master key file; default DATA_DIR/secrets/master.key. */
  keyFile: string | null
  adminPassword: string | null
  /** Hours after the login at which a user's session ends, however often it is refreshed. */
  sessionHours: number
  seed: 'demo' | 'none'
  consoleDir: string | null
  /** Folder of a set of face models; null: the built-in engine. */
  modelDir: string | null
  /** Worker threads of the face engine. */
  faceWorkers: number
  /** Bytes of memory for the search among captures. */
  captureSearchBytes: number
  logLevel: string
  /** Months an access record is kept after the month it falls in; null: for ever. */
  recordMonths: number | null
  /** A deployment of the lite version; the specification defines what it leaves out. */
  lite: boolean
  /** One organisation's own installation rather than a service for many: e-mail addresses need not be unique, data screens use http. */
  privatised: boolean
  /** Whether the upgrade service runs beside the server, at the port in the specification; the console's menu then links to it. */
  upgradeService: boolean
  /** Whether a slide captcha is required from the third failed login on. */
  captcha: boolean
  /** The work computed with each answer to a captcha. */
  captchaWork: Pick<CaptchaWork, 'cost' | 'bits'>
  /**
   * `smtp://user:password@host:port` or smtps, with `?tls=off` where clear text is allowed; null: messages stay in the outbox, where an
   * administrator reads them.
   */
  smtpUrl: string | null
  /** Sender of e-mails. */
  mailFrom: string
  /** Where the provider of text messages is reached. */
  smsUrl: string
  /** Where WeChat is reached. */
  wechatUrl: string
  /** Public key in PEM that verifies packages for terminals; null: only the terminals verify them. */
  upgradeKey: string | null
  /** Check every answer against the contract; on in tests and development. */
  checkAnswers: boolean
}

/** `self`: a certificate of the server's own making, also valid for these names. `files`: one that another program writes and renews. */
export type ServerTls = { kind: 'self'; names: string[] } | { kind: 'files'; certificateFile: string; keyFile: string }

/** How the embedded broker identifies itself; files are in PEM. */
export interface BrokerTls {
  certificateFile: string
  keyFile: string
  /** Authority whose certificates devices must present besides their password; null: the password is enough. */
  clientAuthority: string | null
}

/**
 * 8 MB and some 20 ms for the server, sixteen times that for a program, and about a second for a browser, while its user moves the piece.
 */
const CAPTCHA_WORK = { cost: 8192, bits: 4 } as const

type Variables = z.output<z.ZodObject<typeof serverVariables>>

/** Return the settings that variables define. */
export const configOf = (set: Variables): Config => ({
  port: set.PORT,
  host: set.HOST,
  dataDir: resolve(set.DATA_DIR),
  databaseUrl: set.DATABASE_URL ?? null,
  storage: set.STORAGE_URL ?? null,
  mqttUrl: set.MQTT_URL ?? null,
  mqttPort: set.MQTT_PORT ?? 1883,
  mqttPortGiven: set.MQTT_PORT !== undefined,
  mqttDeviceUrl: set.MQTT_DEVICE_URL ?? null,
  mqttTls: brokerTls(set),
  mqttTlsPort: set.MQTT_TLS_PORT,
  tls: serverTls(set),
  trustProxy: set.TRUST_PROXY ?? ['loopback'],
  trustProxyGiven: set.TRUST_PROXY !== undefined,
  proxyCertificateFiles: set.PROXY_CERT_FILE,
  keyFile: set.KEY_FILE ?? null,
  adminPassword: set.ADMIN_PASSWORD ?? null,
  sessionHours: set.SESSION_HOURS,
  seed: set.SEED,
  consoleDir: resolve(import.meta.dirname, '../../console/dist'),
  modelDir: set.MODEL_DIR,
  faceWorkers: set.FACE_WORKERS,
  captureSearchBytes: 1e6 * (set.CAPTURE_SEARCH_MEMORY ?? Math.min(6000, Math.floor(totalmem() / 4e6))),
  logLevel: set.LOG_LEVEL,
  recordMonths: set.RECORD_MONTHS ?? null,
  lite: set.LITE,
  privatised: set.PRIVATISED,
  upgradeService: set.UPGRADE_SERVICE,
  captcha: set.CAPTCHA,
  captchaWork: CAPTCHA_WORK,
  smtpUrl: set.SMTP_URL ?? null,
  mailFrom: set.MAIL_FROM,
  smsUrl: set.SMS_URL,
  wechatUrl: set.WECHAT_URL,
  upgradeKey: set.UPGRADE_KEY_FILE ?? null,
  checkAnswers: set.CHECK_ANSWERS,
})

function brokerTls({ MQTT_CERT_FILE, MQTT_KEY_FILE, MQTT_CLIENT_CA_FILE }: Variables): BrokerTls | null {
  if (MQTT_CERT_FILE === undefined || MQTT_KEY_FILE === undefined) return null
  return { certificateFile: MQTT_CERT_FILE, keyFile: MQTT_KEY_FILE, clientAuthority: MQTT_CLIENT_CA_FILE ?? null }
}

function serverTls({ TLS: kind, TLS_CERT_FILE, TLS_KEY_FILE, TLS_NAMES }: Variables): ServerTls | null {
  if (kind === 'self') return { kind, names: TLS_NAMES }
  if (kind === 'off' || TLS_CERT_FILE === undefined || TLS_KEY_FILE === undefined) return null
  return { kind, certificateFile: TLS_CERT_FILE, keyFile: TLS_KEY_FILE }
}

/** Read the environment once. @throws SettingsInvalid with a sentence for each invalid value */
export const readConfig = (environment: Environment = process.env): Config =>
  configOf(readEnvironment(serverVariables, environment, contradictions))
