/** The environment variables of the server: what each sets, its allowed values, and its default. */
import { createPublicKey } from 'node:crypto'
import { isIP } from 'node:net'
import { modelFolder } from '@gatehouse/face-engine/model-folder'
import * as variable from './environment.ts'
import { brokerAddress } from './platform/broker/address.ts'
import { mailTransport } from './platform/messages/mail-transport.ts'
import { bucketAddress } from './platform/storage/bucket-address.ts'

const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal']

const isHostName = (name: string): boolean => /^(?=.{1,253}$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(name)

/** Return whether an entry of `TRUST_PROXY` is an address, a network or the name of one, but not every address. */
function isProxy(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/')
  const most = { 4: 32, 6: 128 }[isIP(address)]
  const isNetwork = most !== undefined && more.length === 0 && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most))
  return isNetwork || PROXY_NAMES.includes(entry)
}

/** Return the trusted proxies. @throws Error for an entry that is not an address or a network, or covers every address */
function trustedProxies(entries: string[]): string[] {
  if (entries.length === 1 && entries[0] === 'off') return []
  const wrong = entries.find((entry) => !isProxy(entry))
  if (wrong === undefined) return entries
  const names = PROXY_NAMES.join(', ')
  throw new Error(`must be off, or addresses and networks such as 10.0.0.5 or 172.16.0.0/12, or one of ${names}, not "${wrong}"`)
}

/** Return the first entry of a list that is neither a name nor an address. */
const noCertificateName = (names: string): string | undefined =>
  variable
    .listOf()
    .parse(names)
    .find((name) => isIP(name) === 0 && !isHostName(name))

/** Return whether the PostgreSQL driver accepts an address: with a host, or with the folder of a socket. */
const isDatabaseAddress = (address: string): boolean =>
  // The driver accepts credentials before an empty host; the host is then among the parameters.
  /^(\/|socket:)/.test(address) || (/^postgres(ql)?:\/\//i.test(address) && URL.canParse(address.replace('@/', '@host/')))

/** Return whether an address is valid for devices. It must not contain an account, which all devices would share. */
function isDeviceAddress(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && ['mqtt:', 'mqtts:'].includes(url.protocol) && url.hostname !== '' && url.username === ''
}

/** Return whether this is the start of a service's address, without a path. */
function isServiceAddress(address: string): boolean {
  const url = URL.parse(address)
  return (
    url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && /^\/?$/.test(url.pathname) && url.search === ''
  )
}

/** Return a public key in PEM. @throws Error for anything else than an Ed25519 public key */
function ed25519PublicKey(pem: string): string {
  const isPublic = pem.includes('-----BEGIN PUBLIC KEY-----')
  try {
    if (isPublic && createPublicKey(pem).asymmetricKeyType === 'ed25519') return pem
  } catch {
    // Not a key; refused below.
  }
  throw new Error('must name an Ed25519 public key in PEM')
}

/** Return the folder of models, null for the built-in engine. @throws Error for a folder without models */
function modelsIn(folder: string): string | null {
  try {
    return modelFolder(folder)
  } catch (error) {
    throw new Error(`must be a folder of face models: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** Each variable the server reads. A secret may be in the file that `NAME_FILE` names. */
export const serverVariables = {
  PORT: variable.portNumber().default(8080).describe('Port of the console and the calls.'),
  HOST: variable
    .textLike('an address or a name this machine listens at', (host) => isIP(host) !== 0 || isHostName(host))
    .default('0.0.0.0')
    .describe('Address the console and the calls are reached at.'),
  DATA_DIR: variable.text().default('./data').describe('Folder of what is stored on this machine.'),
  DATABASE_URL: variable
    .text()
    .refine(isDatabaseAddress, 'must be postgres://user:password@host:port/database')
    .optional()
    .describe('PostgreSQL to use instead of the embedded one.'),
  DATABASE_URL_FILE: variable.text().optional().describe('File with the value of DATABASE_URL.'),
  STORAGE_URL: variable
    .text()
    .transform(variable.readBy(bucketAddress))
    .optional()
    .describe('Bucket of stored files instead of a folder of DATA_DIR.'),
  STORAGE_URL_FILE: variable.text().optional().describe('File with the value of STORAGE_URL.'),
  MQTT_URL: variable
    .text()
    .superRefine(variable.readBy((address) => void brokerAddress(address)))
    .optional()
    .describe('Broker to use instead of the embedded one.'),
  MQTT_URL_FILE: variable.text().optional().describe('File with the value of MQTT_URL.'),
  MQTT_PORT: variable.portNumber().optional().describe('Port of the embedded broker without TLS, 1883 unless set.'),
  MQTT_DEVICE_URL: variable
    .text()
    .refine(isDeviceAddress, 'must be mqtt://host:port or mqtts://host:port, without an account: each device has its own')
    .optional()
    .describe('Address devices reach the broker at, where it is another than that of the server.'),
  MQTT_CERT_FILE: variable.text().optional().describe('Certificate of the embedded broker, in PEM.'),
  MQTT_KEY_FILE: variable.text().optional().describe('Key of MQTT_CERT_FILE, in PEM.'),
  MQTT_CLIENT_CA_FILE: variable.fileContent().optional().describe('Authority whose certificates devices must show, in PEM.'),
  MQTT_TLS_PORT: variable.portNumber().default(8883).describe('Port of the embedded broker with TLS.'),
  TLS: variable.oneOf(['off', 'self', 'files']).default('off').describe('How the server proves its identity over https.'),
  TLS_CERT_FILE: variable.text().optional().describe('Certificate of TLS=files, in PEM.'),
  TLS_KEY_FILE: variable.text().optional().describe('Key of TLS_CERT_FILE, in PEM.'),
  TLS_NAMES: variable
    .listOf()
    .transform((names) => names.map((name) => name.toLowerCase()))
    .default([])
    .describe('Further names and addresses the certificate of TLS=self is valid for.'),
  TRUST_PROXY: variable
    .listOf()
    .transform(variable.readBy(trustedProxies))
    .optional()
    .describe('Proxies that are believed who sends a request, loopback unless set.'),
  PROXY_CERT_FILE: variable.listOf().default([]).describe('Certificates that proxies show in place of the server.'),
  KEY_FILE: variable.text().optional().describe('Master key file outside DATA_DIR.'),
  // Read at the first start only; a file that is emptied afterwards must not prevent later starts.
  ADMIN_PASSWORD: variable
    .text()
    .optional()
    .meta({ description: 'First password of the user admin.', [variable.EMPTY_FILE]: 'not set' }),
  ADMIN_PASSWORD_FILE: variable.text().optional().describe('File with the value of ADMIN_PASSWORD.'),
  SESSION_HOURS: variable
    .wholeNumber('a number of hours', [1, 168])
    .default(12)
    .describe('Hours after its login a session of the console ends.'),
  SEED: variable.oneOf(['demo', 'none']).default('none').describe('Whether the demo campus is made.'),
  MODEL_DIR: variable.text().default('').transform(variable.readBy(modelsIn)).describe('Models of the better face engine.'),
  CAPTURE_SEARCH_MEMORY: variable
    .wholeNumber('a number of megabytes', [64, 1_000_000])
    .optional()
    .describe('Megabytes for the search among captures; a quarter of the memory, 6,000 at most, unless set.'),
  FACE_WORKERS: variable.wholeNumber('a number', [1, 8]).default(1).describe('Worker threads of the face engine.'),
  LOG_LEVEL: variable
    .oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least level of what is logged.'),
  RECORD_MONTHS: variable
    .wholeNumber('a number of months', [1, 1200])
    .optional()
    .describe('Months an access record is kept after the one it falls in.'),
  LITE: variable.onOff().default(false).describe('Leaves out what the lite version lacks.'),
  PRIVATISED: variable.onOff().default(true).describe("One organisation's own installation rather than a service for many."),
  UPGRADE_SERVICE: variable.onOff().default(false).describe('Whether the upgrade service runs beside the server.'),
  CAPTCHA: variable.onOff().default(true).describe('A slide captcha from the third failed login on.'),
  SMTP_URL: variable
    .text()
    .superRefine(variable.readBy((address) => void mailTransport(address)))
    .optional()
    .describe('Mail server that e-mails leave by.'),
  SMTP_URL_FILE: variable.text().optional().describe('File with the value of SMTP_URL.'),
  MAIL_FROM: variable
    .textLike('an address such as gate@example.org or Gatehouse <gate@example.org>', (from) =>
      /^[^\r\n]*[^\s<]@[^\s<>]+>?$/.test(from.trim()),
    )
    .default('Gatehouse <gatehouse@localhost>')
    .describe('Sender of e-mails.'),
  SMS_URL: variable
    .textLike('http://host:port or https://host:port', isServiceAddress)
    .default('https://dysmsapi.aliyuncs.com')
    .describe('Address of the provider of text messages, for a proxy in front of it.'),
  WECHAT_URL: variable
    .textLike('http://host:port or https://host:port', isServiceAddress)
    .default('https://api.weixin.qq.com')
    .describe('Address of WeChat, for a proxy in front of it.'),
  UPGRADE_KEY_FILE: variable
    .fileContent()
    .transform(variable.readBy(ed25519PublicKey))
    .optional()
    .describe('Public key that packages for terminals are signed by.'),
  CHECK_ANSWERS: variable.onOff().default(false).describe('Checks every answer against the contract; for development.'),
}

/** Return a sentence for each setting that requires another one. */
export function* contradictions(set: Partial<Record<keyof typeof serverVariables, string>>): Generator<string> {
  const areTlsFiles = [set.TLS_CERT_FILE, set.TLS_KEY_FILE].map((file) => file !== undefined)
  if (set.TLS === 'files') {
    if (areTlsFiles.includes(false)) yield 'TLS=files needs both TLS_CERT_FILE and TLS_KEY_FILE'
  } else if (areTlsFiles.includes(true)) yield 'TLS_CERT_FILE and TLS_KEY_FILE need TLS=files'
  // Otherwise the names are not used, and may be any names of the machine.
  const wrongName = set.TLS === 'self' ? noCertificateName(set.TLS_NAMES ?? '') : undefined
  if (wrongName !== undefined) yield `TLS_NAMES must be names and addresses this machine is reached at, not "${wrongName}"`
  const areBrokerFiles = [set.MQTT_CERT_FILE, set.MQTT_KEY_FILE].map((file) => file !== undefined)
  const isBrokerTls = areBrokerFiles.includes(true) || set.MQTT_CLIENT_CA_FILE !== undefined
  if (isBrokerTls && areBrokerFiles.includes(false)) yield 'MQTT over TLS needs both MQTT_CERT_FILE and MQTT_KEY_FILE'
}
