/** Departments, doors, rules and strategies of the demo campus. Those that exist under their name are not made again. */
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Device } from '@gatehouse/contract/devices/device'
import { accessMethod } from '@gatehouse/contract/enums'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import { CallRefused } from '../client.ts'
import { ALWAYS_RULE_NAME } from '@gatehouse/contract/built-in-names'
import { DEPARTMENTS, DEVICES, STRATEGIES, TIME_RULES } from './campus.ts'
import type { Maker } from './maker.ts'

/** Refusals of a name, code or number that a user already uses. */
const TAKEN: ReadonlySet<number> = new Set([200005, 200107, 200215, 400005, 400006, 900004])

/** Return the result; null where a user already has something of this name or number. */
export async function unlessTaken<T>(making: Promise<T>): Promise<T | null> {
  try {
    return await making
  } catch (error) {
    if (error instanceof CallRefused && TAKEN.has(error.code)) return null
    throw error
  }
}

/** Return the id of every group by its name; no two groups of the campus have the same name. */
export const groupIds = (nodes: readonly PersonGroupNode[]): Map<string, string> =>
  new Map(nodes.flatMap((node) => [[node.name, node.id] as const, ...groupIds(node.children)]))

/** Return the devices whose codes begin like the demo's; some may belong to a user. */
export const devicesOf = async (maker: Maker): Promise<Device[]> =>
  (await maker.call(deviceCalls.list, { query: { code: 'DEMO-', size: 100 } })).content

async function makeDepartments(maker: Maker): Promise<Map<string, string>> {
  const groups = groupIds(await maker.call(peopleCalls.groupTree, { query: {} }))
  async function make(name: string, parentId?: string): Promise<void> {
    if (groups.has(name)) return
    groups.set(name, (await maker.call(peopleCalls.createGroup, { body: { name, ...(parentId !== undefined && { parentId }) } })).id)
  }
  for (const { name, below } of DEPARTMENTS) {
    await make(name)
    for (const department of below) await make(department.name, groups.get(name)!)
  }
  return groups
}

async function makeDoors(maker: Maker): Promise<{ doors: Map<string, string>; devices: Map<string, string> }> {
  const doors = new Map((await maker.call(deviceCalls.groupTree, {})).map(({ name, id }) => [name, id]))
  for (const { group } of DEVICES)
    if (!doors.has(group)) doors.set(group, (await maker.call(deviceCalls.createGroup, { body: { name: group } })).id)
  const devices = new Map((await devicesOf(maker)).map(({ code, id }) => [code, id]))
  for (const { code, name, group, direction } of DEVICES) {
    if (devices.has(code)) continue
    const made = await unlessTaken(maker.call(deviceCalls.create, { body: { code, name, direction, groupId: doors.get(group)! } }))
    if (made !== null) devices.set(code, made.id)
  }
  return { doors, devices }
}

async function makeRules(maker: Maker): Promise<Map<string, string>> {
  const rules = new Map((await maker.call(timeRuleCalls.all, {})).map(({ name, id }) => [name, id]))
  for (const { name, periods } of TIME_RULES) {
    if (rules.has(name)) continue
    const made = await unlessTaken(maker.call(timeRuleCalls.create, { body: { name, periods: [...periods] } }))
    if (made !== null) rules.set(name, made.id)
  }
  return rules
}

export async function makeSetting(maker: Maker): Promise<void> {
  const groups = await makeDepartments(maker)
  const { doors, devices } = await makeDoors(maker)
  const rules = await makeRules(maker)
  const strategies = new Set((await maker.call(strategyCalls.all, { query: {} })).map(({ name }) => name))
  for (const { name, departments, deviceCodes, deviceGroups, timeRule } of STRATEGIES) {
    if (strategies.has(name)) continue
    const body = {
      name,
      personGroupIds: departments.map((department) => groups.get(department)!),
      deviceIds: deviceCodes.flatMap((code) => devices.get(code) ?? []),
      deviceGroupIds: deviceGroups.map((group) => doors.get(group)!),
      timeRuleIds: [rules.get(timeRule) ?? rules.get(ALWAYS_RULE_NAME)!],
      methods: [accessMethod.face, accessMethod.card],
    }
    await unlessTaken(maker.call(strategyCalls.create, { body }))
  }
}
