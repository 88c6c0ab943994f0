/** Commands to the dynamic security plugin of Mosquitto, one batch at a time, and its answers. */
import { randomUUID } from 'node:crypto'
import { createTurns } from '../async/turns.ts'
import { BrokerUnprovisioned } from './types.ts'

const CONTROL = '$CONTROL/dynamic-security/v1'
/** Topic of the answers. */
export const ANSWERS = `${CONTROL}/response`
const ANSWER_MS = 10_000

export interface Command {
  command: string
  [field: string]: unknown
}
export interface Answer {
  command: string
  error?: string
  data?: { client?: StoredClient; clients?: StoredClient[] }
}
/** An account as the plugin describes it. */
export interface StoredClient {
  username: string
  textdescription?: string
  disabled?: boolean
  roles?: { rolename: string }[]
}

export interface Commands {
  /**
   * Carry commands out in their order, after those requested before: the plugin writes all accounts to its file with each change, and
   * parallel batches of a site that pairs all devices at once would time out.
   * @throws BrokerUnprovisioned when no answer comes, or one is an error not in `expected`
   */
  perform(commands: Command[], expected?: readonly string[]): Promise<Answer[]>
  /** Take a message on the topic of the answers. */
  take(payload: Buffer): void
}

/** Return the commands of a connection. @param publish sends a message to the broker */
export function createCommands(publish: (topic: string, payload: string) => Promise<void>): Commands {
  const waiting = new Map<string, (answers: Answer[]) => void>()
  const turns = createTurns()

  async function ask(commands: Command[], expected: readonly string[]): Promise<Answer[]> {
    const correlationData = randomUUID()
    const { promise, resolve } = Promise.withResolvers<Answer[] | null>()
    waiting.set(correlationData, resolve)
    const timer = setTimeout(resolve, ANSWER_MS, null)
    try {
      await publish(CONTROL, JSON.stringify({ commands: commands.map((command) => ({ ...command, correlationData })) }))
      const answers = await promise
      if (answers === null) throw unprovisioned(`does not answer on ${CONTROL}`)
      for (const { command, error } of answers)
        if (error !== undefined && !expected.includes(error)) throw unprovisioned(`refused ${command}: ${error}`)
      return answers
    } finally {
      clearTimeout(timer)
      waiting.delete(correlationData)
    }
  }

  return {
    perform: (commands, expected = []) => turns.during(CONTROL, () => ask(commands, expected)),
    take(payload) {
      const { responses } = parsed(payload)
      waiting.get(responses[0]?.correlationData ?? '')?.(responses)
    },
  }
}

/** Return the error for a broker that is not set up. @param what completes "The broker …" */
export const unprovisioned = (what: string, cause?: unknown) =>
  new BrokerUnprovisioned(
    `The broker ${what}. It needs its dynamic security plugin, and MQTT_URL the account that administers it: docs/operations/mosquitto.md`,
    { cause },
  )

/** Return the answers in a message of the plugin; none where the message is malformed. */
function parsed(payload: Buffer): { responses: (Answer & { correlationData?: string })[] } {
  try {
    const content = JSON.parse(payload.toString('utf8')) as { responses?: unknown }
    return { responses: Array.isArray(content.responses) ? content.responses : [] }
  } catch {
    return { responses: [] }
  }
}
