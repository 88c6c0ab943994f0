/**
 * Accounts of devices on Mosquitto, by its dynamic security plugin: one client and one role for each device, the role
 * with literal topics, so that no code can mean more than itself.
 */
import { createHash, randomUUID } from 'node:crypto'
import { assertPlainCode, fingerprintOf } from './credentials.ts'
import { BrokerUnprovisioned } from './types.ts'

const CONTROL = '$CONTROL/dynamic-security/v1'
const ANSWERS = `${CONTROL}/response`
const ANSWER_MS = 10_000

interface Command {
  command: string
  [field: string]: unknown
}
interface Answer {
  command: string
  error?: string
  data?: { client?: StoredClient; clients?: StoredClient[] }
}
interface StoredClient {
  username: string
  textdescription?: string
  disabled?: boolean
  roles?: { rolename: string }[]
}

/** The server's connection, as far as this needs it. */
export interface ControlConnection {
  publish(topic: string, payload: string): Promise<void>
  subscribe(topic: string): Promise<void>
}

/** A device's account as it stands on the broker. */
export interface BrokerAccount {
  code: string
  /** Of the password it was last given. */
  fingerprint: string
  disabled: boolean
}

export interface DynamicSecurity {
  /** Topic of the plugin's answers, which `take` wants to see. */
  readonly answers: string
  take(payload: Buffer): void
  /** Subscribes to the answers and gives the server's own account leave to speak to devices: true when it lacked it. @throws BrokerUnprovisioned */
  prepare(username: string): Promise<boolean>
  /** Makes the account, or sets its password and lets it in; does nothing where it stands so already. */
  admit(code: string, password: string): Promise<void>
  /** Ends the sessions of an account and keeps it out, the password set anew. */
  suspend(code: string, password: string): Promise<void>
  /** Lets a suspended account in again. */
  resume(code: string): Promise<void>
  /** Whether the account has this password. */
  holds(code: string, password: string): Promise<boolean>
  /** Ends its sessions and removes the account. */
  remove(code: string): Promise<void>
  /** All accounts of this installation's devices. */
  accounts(): Promise<BrokerAccount[]>
}

/** @param serverKey names the installation: accounts that another one, or a person, made are never touched */
export function dynamicSecurity(connection: ControlConnection, serverKey: string): DynamicSecurity {
  const installation = createHash('sha256').update(`broker accounts ${serverKey}`).digest('hex').slice(0, 12)
  const serverRole = `gatehouse-${installation}-server`
  const devicePrefix = `gatehouse-${installation}-device-`
  const waiting = new Map<string, (answers: Answer[]) => void>()

  let last: Promise<unknown> = Promise.resolve()

  /**
   * Carries commands out in their order, after those asked for before: the plugin writes all accounts to its file with
   * each change, and a site that pairs all at once would wait for itself.
   * @throws BrokerUnprovisioned when no answer comes, or one is an error not in `expected`
   */
  function perform(commands: Command[], expected: readonly string[] = []): Promise<Answer[]> {
    const turn = last.then(() => ask(commands, expected))
    last = turn.catch(() => {})
    return turn
  }

  async function ask(commands: Command[], expected: readonly string[]): Promise<Answer[]> {
    const correlationData = randomUUID()
    const { promise, resolve } = Promise.withResolvers<Answer[] | null>()
    waiting.set(correlationData, resolve)
    const timer = setTimeout(resolve, ANSWER_MS, null)
    try {
      await connection.publish(CONTROL, JSON.stringify({ commands: commands.map((command) => ({ ...command, correlationData })) }))
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

  /** The account of this name, whoever's it is; null where there is none. */
  async function find(code: string): Promise<StoredClient | null> {
    assertPlainCode(code)
    const [answer] = await perform([{ command: 'getClient', username: code }], ['Client not found'])
    return answer?.data?.client ?? null
  }

  async function isOurs(code: string): Promise<boolean> {
    const client = await find(code)
    return client !== null && codeOf(client) === code
  }

  /** Null where the account is not that of a device of ours. */
  const codeOf = ({ username, roles = [] }: StoredClient): string | null =>
    roles.length === 1 && roles[0]?.rolename === devicePrefix + username ? username : null

  const passwordCommand = (code: string, password: string): Command => ({
    command: 'modifyClient',
    username: code,
    password,
    textdescription: fingerprintOf(password),
  })

  const roleOf = (code: string) => ({
    rolename: devicePrefix + code,
    acls: [
      { acltype: 'publishClientSend', topic: `gatehouse/1/${code}/up/#`, allow: true },
      { acltype: 'subscribePattern', topic: `gatehouse/1/${code}/down/#`, allow: true },
      { acltype: 'unsubscribePattern', topic: `gatehouse/1/${code}/down/#`, allow: true },
      { acltype: 'publishClientReceive', topic: `gatehouse/1/${code}/down/#`, allow: true },
    ],
  })

  return {
    answers: ANSWERS,
    take(payload) {
      const { responses } = parsed(payload)
      waiting.get(responses[0]?.correlationData ?? '')?.(responses)
    },
    async prepare(username) {
      await connection.subscribe(ANSWERS).catch((error: unknown) => {
        throw unprovisioned(`does not let ${username} read ${ANSWERS}`, error)
      })
      const [own] = await perform([{ command: 'getClient', username }])
      if (own?.data?.client?.roles?.some(({ rolename }) => rolename === serverRole)) return false
      const acls = [{ acltype: 'publishClientSend', topic: 'gatehouse/1/#', allow: true }]
      await perform([{ command: 'createRole', rolename: serverRole, acls }], ['Role already exists'])
      await perform([{ command: 'addClientRole', username, rolename: serverRole }])
      return true
    },
    async admit(code, password) {
      const client = await find(code)
      if (client === null) {
        const role = roleOf(code)
        const account = {
          username: code,
          password,
          textname: 'Gatehouse device',
          textdescription: fingerprintOf(password),
          roles: [{ rolename: role.rolename }],
        }
        await perform(
          [
            { command: 'deleteRole', rolename: role.rolename },
            { command: 'createRole', ...role },
            { command: 'createClient', ...account },
          ],
          ['Role not found'],
        )
      } else if (codeOf(client) !== code) {
        throw new BrokerUnprovisioned(
          `The broker has an account "${code}" that is no device’s of this installation: give the device another code`,
        )
      } else if (client.textdescription !== fingerprintOf(password)) {
        await perform([passwordCommand(code, password), { command: 'enableClient', username: code }])
      } else if (client.disabled === true) await perform([{ command: 'enableClient', username: code }])
    },
    async suspend(code, password) {
      if (await isOurs(code)) await perform([{ command: 'disableClient', username: code }, passwordCommand(code, password)])
    },
    async resume(code) {
      if (await isOurs(code)) await perform([{ command: 'enableClient', username: code }])
    },
    async holds(code, password) {
      const client = await find(code)
      return client !== null && codeOf(client) === code && client.textdescription === fingerprintOf(password)
    },
    async remove(code) {
      if (!(await isOurs(code))) return
      await perform(
        [
          { command: 'deleteClient', username: code },
          { command: 'deleteRole', rolename: devicePrefix + code },
        ],
        ['Client not found', 'Role not found'],
      )
    },
    async accounts() {
      const [answer] = await perform([{ command: 'listClients', verbose: true, count: -1, offset: 0 }])
      return (answer?.data?.clients ?? []).flatMap((client) => {
        const code = codeOf(client)
        return code === null ? [] : [{ code, fingerprint: client.textdescription ?? '', disabled: client.disabled === true }]
      })
    },
  }
}

const unprovisioned = (what: string, cause?: unknown) =>
  new BrokerUnprovisioned(
    `The broker ${what}. It needs its dynamic security plugin, and MQTT_URL the account that administers it: docs/operations/mosquitto.md`,
    { cause },
  )

/** What the plugin said; nothing where it makes no sense. */
function parsed(payload: Buffer): { responses: (Answer & { correlationData?: string })[] } {
  try {
    const content = JSON.parse(payload.toString('utf8')) as { responses?: unknown }
    return { responses: Array.isArray(content.responses) ? content.responses : [] }
  } catch {
    return { responses: [] }
  }
}
