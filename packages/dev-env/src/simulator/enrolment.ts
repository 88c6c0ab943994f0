/** Simulated devices at a running server: registered, permitted and removed through the public calls. */
import { recordCalls } from '@gatehouse/contract/records/calls'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { accessMethod } from '@gatehouse/contract/enums'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { CallRefused, type Client } from '../client.ts'
import { secretOf } from '../secret.ts'
import type { Credentials } from './fleet.ts'
import type { StoredRecord } from './proof.ts'

/** Prefix of the codes of simulated devices. */
export const PREFIX = 'SIM-'
const GROUP = 'Simulated'
const STRATEGY_UNKNOWN = 300101
const AT_ONCE = 8
const PAGE = 100

/** Run work over a list, some at a time. */
async function each<T>(list: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  const waiting = list.entries()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, item] of waiting) await work(item, index)
    }),
  )
}

export interface Enrolment {
  devices: (Credentials & { id: string })[]
  groupId: string
}

/** Register devices in a device group of their own, or reuse those that an interrupted run left there. */
export async function enrolDevices(client: Client, count: number): Promise<Enrolment> {
  const group = (await client.call(deviceCalls.groupTree, {})).find(({ name }) => name === GROUP)
  const groupId = group?.id ?? (await client.call(deviceCalls.createGroup, { body: { name: GROUP } })).id
  const existing = new Map((await devicesOf(client)).map((device) => [device.code, device.id]))
  const devices: Enrolment['devices'] = []
  await each(Array.from({ length: count }), async (_, index) => {
    const code = `${PREFIX}${index + 1}`
    const id = existing.get(code)
    const made =
      id === undefined
        ? client.call(deviceCalls.create, { body: { code, name: code, groupId } })
        : client.call(deviceCalls.resetSecret, { params: { id }, body: {} })
    const added = await made
    devices[index] = { code, secret: secretOf(added), id: added.id }
  })
  return { devices, groupId }
}

/** Make a strategy that permits everybody of these person groups to pass at the simulated devices. @returns its id */
export async function permit(client: Client, { groupId }: Pick<Enrolment, 'groupId'>, personGroupIds: readonly string[]): Promise<string> {
  const timeRules = await client.call(timeRuleCalls.all, {})
  const name = `${GROUP} ${new Date().toISOString().slice(0, 19)}`
  const timeRuleIds = timeRules.slice(0, 1).map(({ id }) => id)
  const body = {
    name,
    personGroupIds: [...personGroupIds],
    deviceGroupIds: [groupId],
    timeRuleIds,
    methods: [accessMethod.face, accessMethod.card],
  }
  return (await client.call(strategyCalls.create, { body })).id
}

export const rootGroupsOf = async (client: Client): Promise<string[]> =>
  (await client.call(peopleCalls.groupTree, { query: {} })).map(({ id }) => id)

/** Remove the devices. Their records stay, as with every device. */
export async function removeDevices(client: Client, deviceIds: readonly string[], strategyId: string | null): Promise<void> {
  if (strategyId !== null) await client.call(strategyCalls.delete, { query: { id: strategyId } }).catch(ignoreMissing)
  for (let from = 0; from < deviceIds.length; from += PAGE)
    await client.call(deviceCalls.delete, { query: { ids: deviceIds.slice(from, from + PAGE) } }).catch(ignoreMissing)
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof CallRefused && (error.status === 404 || error.code === STRATEGY_UNKNOWN))) throw error
}

async function devicesOf(client: Client): Promise<{ id: string; code: string }[]> {
  const devices: { id: string; code: string }[] = []
  for (let page = 1; ; page++) {
    const { content, total } = await client.call(deviceCalls.list, { query: { code: PREFIX, page, size: PAGE } })
    devices.push(...content)
    if (page * PAGE >= total) return devices
  }
}

/** Return all records that the server has of some devices since a moment. */
export async function storedRecords(client: Client, deviceIds: readonly string[], since: number): Promise<StoredRecord[]> {
  const found: StoredRecord[] = []
  const window = { startTime: since, endTime: Date.now() + 86_400_000 }
  await each(deviceIds, async (deviceId) => {
    let after: string | undefined
    do {
      const { content, next } = await client.call(recordCalls.find, {
        body: { ...window, deviceId, size: PAGE, ...(after !== undefined && { after }) },
      })
      for (const { id } of content) found.push({ id, deviceId })
      after = next
    } while (after !== undefined)
  })
  return found
}
