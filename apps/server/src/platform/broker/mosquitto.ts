/**
 * Accounts of devices on Mosquitto, managed by its dynamic security plugin: one client and one role for each device. The role has literal
 * topics, so that a code cannot match more than itself.
 */
import { createHash } from 'node:crypto'
import { assertPlainCode, fingerprintOf } from './credentials.ts'
import { ANSWERS, createCommands, unprovisioned, type Command, type StoredClient } from './mosquitto-commands.ts'
import { BrokerUnprovisioned } from './types.ts'

/** The part of the server's connection that is needed here. */
export interface ControlConnection {
  publish(topic: string, payload: string): Promise<void>
  subscribe(topic: string): Promise<void>
}

/** A device's account on the broker. */
export interface BrokerAccount {
  code: string
  /** Fingerprint of its current password. */
  fingerprint: string
  disabled: boolean
}

export interface DynamicSecurity {
  /** Topic of the plugin's answers, whose messages go to `take`. */
  readonly answers: string
  take(payload: Buffer): void
  /**
   * Subscribe to the answers and permit the server's own account to publish to devices. Return true if it lacked the right.
   * @throws BrokerUnprovisioned
   */
  prepare(username: string): Promise<boolean>
  /** Create the account, or set its password and enable it; do nothing if it is so already. */
  admit(code: string, password: string): Promise<void>
  /** End the sessions of an account and disable it, with a new password. */
  suspend(code: string, password: string): Promise<void>
  /** Enable a suspended account again. */
  resume(code: string): Promise<void>
  /** Return whether the account has this password. */
  holds(code: string, password: string): Promise<boolean>
  /** Remove the account, which ends its sessions. */
  remove(code: string): Promise<void>
  /** Return all accounts of this installation's devices. */
  accounts(): Promise<BrokerAccount[]>
}

/**
 * Return the accounts of a broker. @param serverKey identifies the installation: accounts of another one, or made by a person, are never
 * touched
 */
export function dynamicSecurity(connection: ControlConnection, serverKey: string): DynamicSecurity {
  const installation = createHash('sha256').update(`broker accounts ${serverKey}`).digest('hex').slice(0, 12)
  const serverRole = `gatehouse-${installation}-server`
  const devicePrefix = `gatehouse-${installation}-device-`
  const { perform, take } = createCommands((topic, payload) => connection.publish(topic, payload))

  /** Return the account of this name, even if it is not of this installation; null where there is none. */
  async function find(code: string): Promise<StoredClient | null> {
    assertPlainCode(code)
    const [answer] = await perform([{ command: 'getClient', username: code }], ['Client not found'])
    return answer?.data?.client ?? null
  }

  async function isOurs(code: string): Promise<boolean> {
    const client = await find(code)
    return client !== null && codeOf(client) === code
  }

  /** Return the code of an account; null where it does not belong to a device of this installation. */
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
    take,
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
