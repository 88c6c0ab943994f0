/** The options of `npm run simulate`, and its help. */
import { parseArgs } from 'node:util'
import { FAULTS, type Fault } from './faults.ts'

export interface Options {
  devices: number
  /** Visitors a second. */
  rate: number
  persons: number
  /** AI boxes, and their events a second. */
  aiBoxes: number
  aiRate: number
  /** 0: until Ctrl-C. */
  seconds: number
  faults: Fault[]
  misfortunes: number
  seed: number
  model: string | null
  /** Null: a world of its own. */
  server: { url: string; user: string; password: string } | null
  keep: boolean
  verbose: boolean
}

/** The options make no sense; the message says why. */
export class BadOption extends Error {}

export const HELP = `Devices that speak the real protocol and have no face engine, against a server of their own or a running one.

  npm run simulate -- [options]

  --devices N        devices, 100 unless told
  --rate N           visitors a second over all devices, 10 unless told
  --persons N        persons in the world of its own, each with a template; 500 unless told
  --ai-boxes N       AI boxes besides the devices, none unless told
  --ai-rate N        events of AI boxes a second, each with a picture, 1 unless told
  --seconds N        how long visitors come, 60 unless told; 0: until Ctrl-C
  --faults LIST      what goes wrong, separated by commas, or "all":
${Object.entries(FAULTS)
  .map(([name, what]) => `                       ${name.padEnd(10)}${what}`)
  .join('\n')}
  --misfortunes N    cuts, and absences, of a device in a minute; 1 unless told
  --seed N           the same seed has the same visitors and misfortunes
  --server URL       a running server; devices SIM-1 … are registered there, permitted for everybody, and removed at the end
  --user NAME        who registers them: somebody who may manage devices and strategies and see records
  --password WORD
  --model ID         face model whose templates are fetched, the built-in one unless told
  --keep             leave devices and strategy where they are
  --verbose          what each device says

Once a second it prints where the fleet stands, at the end whether every record arrived exactly once and every device
holds what it should; it ends with 1 where that is not so. Ctrl-C ends the visits early, a second one everything.`

/** Return the options; null when help was requested. @throws BadOption */
export function optionsOf(words: readonly string[]): Options | null {
  const { values } = parsed(words)
  if (values.help === true) return null
  const faults = faultsOf(values.faults ?? '')
  const server =
    values.server === undefined ? null : { url: addressOf(values.server), user: values.user ?? '', password: values.password ?? '' }
  if (server !== null && (server.user === '' || server.password === ''))
    throw new BadOption('A running server needs --user and --password.')
  return {
    devices: numberOf('devices', values.devices, 100, 1),
    rate: numberOf('rate', values.rate, 10, 0),
    persons: numberOf('persons', values.persons, 500, 0),
    aiBoxes: numberOf('ai-boxes', values['ai-boxes'], 0, 0),
    aiRate: numberOf('ai-rate', values['ai-rate'], 1, 0),
    seconds: numberOf('seconds', values.seconds, 60, 0),
    misfortunes: numberOf('misfortunes', values.misfortunes, 1, 0),
    seed: numberOf('seed', values.seed, Math.floor(Math.random() * 1_000_000), 0),
    faults,
    model: values.model ?? null,
    server,
    keep: values.keep === true,
    verbose: values.verbose === true,
  }
}

function parsed(words: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = {
    devices: text,
    rate: text,
    persons: text,
    'ai-boxes': text,
    'ai-rate': text,
    seconds: text,
    faults: text,
    misfortunes: text,
    seed: text,
    server: text,
    user: text,
    password: text,
    model: text,
    keep: flag,
    verbose: flag,
    help: flag,
  }
  try {
    return parseArgs({ args: [...words], options, strict: true })
  } catch (error) {
    throw new BadOption(error instanceof Error ? error.message : String(error))
  }
}

function numberOf(name: string, text: string | undefined, otherwise: number, least: number): number {
  const value = text === undefined ? otherwise : Number(text)
  if (!Number.isFinite(value) || value < least) throw new BadOption(`--${name} is a number from ${least}, not "${text}".`)
  return value
}

function faultsOf(list: string): Fault[] {
  const names = list === 'all' ? Object.keys(FAULTS) : list.split(',').filter((name) => name !== '')
  const unknown = names.filter((name) => !(name in FAULTS))
  if (unknown.length > 0) throw new BadOption(`There is no fault ${unknown.join(', ')}. Known are: ${Object.keys(FAULTS).join(', ')}.`)
  return names as Fault[]
}

function addressOf(text: string): string {
  if (!/^https?:\/\/[^/]/.test(text)) throw new BadOption(`--server is an address such as http://gate.example:8080, not "${text}".`)
  return text.replace(/\/+$/, '')
}
