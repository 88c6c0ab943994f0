/** The only reader of process.env. */
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
  /** Check every answer against the contract; on in tests and development. */
  checkAnswers: boolean
}

type Environment = Record<string, string | undefined>

/** A value, or the content of the file that `<NAME>_FILE` names. */
function secret(env: Environment, name: string): string | null {
  const file = env[`${name}_FILE`]
  return env[name] ?? (file === undefined ? null : readFileSync(file, 'utf8').trim())
}

/** A port number of the environment. @throws Error with a sentence for one that is none */
export function port(env: Environment, name: string, fallback: number): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > 65_535) throw new Error(`${name} must be a port number from 0 to 65535, not "${text}"`)
  return value
}

/** A number of months, at least one; null where none is given. */
function months(env: Environment, name: string): number | null {
  const text = env[name]
  if (text === undefined || text === '') return null
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 1200) throw new Error(`${name} must be a number of months from 1 to 1200, not "${text}"`)
  return value
}

/** Reads the environment once; a value that makes no sense ends the start with a sentence. */
export function readConfig(env: Environment = process.env): Config {
  return {
    port: port(env, 'PORT', 8080),
    host: env['HOST'] ?? '0.0.0.0',
    dataDir: resolve(env['DATA_DIR'] ?? './data'),
    databaseUrl: secret(env, 'DATABASE_URL'),
    mqttUrl: secret(env, 'MQTT_URL'),
    mqttPort: port(env, 'MQTT_PORT', 1883),
    mqttPortGiven: env['MQTT_PORT'] !== undefined,
    keyFile: env['KEY_FILE'] ?? null,
    adminPassword: secret(env, 'ADMIN_PASSWORD'),
    seed: env['SEED'] === 'demo' ? 'demo' : 'none',
    consoleDir: resolve(import.meta.dirname, '../../console/dist'),
    modelDir: modelFolder(env['MODEL_DIR']),
    faceWorkers: Math.max(1, Math.min(8, Number(env['FACE_WORKERS'] ?? 1) || 1)),
    logLevel: env['LOG_LEVEL'] ?? 'info',
    recordMonths: months(env, 'RECORD_MONTHS'),
    checkAnswers: env['CHECK_ANSWERS'] === 'on',
  }
}
