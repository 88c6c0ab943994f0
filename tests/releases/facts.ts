/** The answers of an installation to public calls, in a form that can be compared after an upgrade. */
import { createHash } from 'node:crypto'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { pendingChangeCalls, writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { DIGEST_BUCKETS } from '@gatehouse/contract/device/protocol'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { userCalls } from '@gatehouse/contract/identity/users'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { contactCalls } from '@gatehouse/contract/people/contacts'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { personFormCalls } from '@gatehouse/contract/people/form'
import { specialCalls } from '@gatehouse/contract/people/special'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { relationCalls } from '@gatehouse/contract/relations/calls'
import { restrictionCalls } from '@gatehouse/contract/restrictions/calls'
import { systemCalls } from '@gatehouse/contract/system/calls'
import { dictionaryCalls } from '@gatehouse/contract/system/dictionary'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import type { Client } from '@gatehouse/dev-env/client'
import { RESIDENT } from './resident.ts'

/** Answers by name. */
export type Facts = Record<string, unknown>

export interface Asking {
  administrator: Client
  /** The device, with the credentials of a terminal. */
  device: Client
  modelId: string
}

/** First rows of each list: enough to see every field, and few. */
const query = { size: 5 }
const body = query
/** A date of the contract. */
const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
const DAY = 86_400_000

async function residentOf(administrator: Client): Promise<string> {
  const { content } = await administrator.call(peopleCalls.list, { query: { workNumber: RESIDENT.workNumber } })
  return content[0]!.id
}

/** Facts, and the calls that return them. The administrator reads all but those of the device. */
const FACTS: Readonly<Record<string, (asking: Asking) => Promise<unknown>>> = {
  park: async ({ administrator }) => {
    const { id, areaCode, parkName, zone, parkType } = await administrator.call(organisationCalls.parkInfo, {})
    return { id, areaCode, parkName, zone, parkType }
  },
  'organisation tree': ({ administrator }) => administrator.call(organisationCalls.tree, {}),
  'registration settings': ({ administrator }) => administrator.call(parkSettingCalls.updateConfig, {}),
  'record settings': ({ administrator }) => administrator.call(parkSettingCalls.accessControl, {}),
  users: ({ administrator }) => administrator.call(userCalls.list, { query: { ...query, account: 'keeper' } }),
  roles: ({ administrator }) => administrator.call(roleCalls.list, { query: { ...query, name: 'Keeper' } }),
  'API clients': ({ administrator }) => administrator.call(clientCalls.list, { query }),
  'system domains': ({ administrator }) => administrator.call(systemCalls.domains, { query }),
  notices: ({ administrator }) => administrator.call(systemCalls.notices, { query }),
  messages: async ({ administrator }) => {
    const { content } = await administrator.call(systemCalls.messages, { query })
    return Promise.all(content.map(({ id }) => administrator.call(systemCalls.message, { params: { id } })))
  },
  dictionary: ({ administrator }) => administrator.call(dictionaryCalls.read, {}),
  'a person': async ({ administrator }) => administrator.call(peopleCalls.read, { query: { id: await residentOf(administrator) } }),
  'contacts of the person': async ({ administrator }) =>
    administrator.call(contactCalls.list, { query: { personId: await residentOf(administrator) } }),
  'photographs of the person': async ({ administrator }) => {
    const { threshold, photos, lookAlikes } = await administrator.call(faceCalls.matching, {
      params: { id: await residentOf(administrator) },
    })
    // Whether a photo has a template of the active model depends on the engine, and pictures are not part of what is kept.
    return { threshold, photos: photos.map(({ current: _current, ...photo }) => photo), lookAlikes }
  },
  'consents of the person': async ({ administrator }) =>
    administrator.call(privacyCalls.consents, { params: { id: await residentOf(administrator) } }),
  persons: ({ administrator }) => administrator.call(peopleCalls.list, { query: { ...query, sort: 'workNumber', order: 'asc' } }),
  'person groups': ({ administrator }) => administrator.call(peopleCalls.groupTree, { query: {} }),
  'person form': ({ administrator }) => administrator.call(personFormCalls.read, {}),
  'watch list': ({ administrator }) => administrator.call(specialCalls.list, { query }),
  'applications to enrol': ({ administrator }) => administrator.call(enrolmentCalls.list, { query }),
  'enrolment links': ({ administrator }) => administrator.call(enrolmentCalls.links, { query }),
  imports: ({ administrator }) => administrator.call(importCalls.list, { query }),
  erasures: ({ administrator }) => administrator.call(privacyCalls.list, { query }),
  'privacy policy': ({ administrator }) => administrator.call(privacyCalls.policy, {}),
  // Scores and rates depend on the engine.
  'face matching': async ({ administrator }) => {
    const { purposes, margin, photosWanted } = await administrator.call(facePolicyCalls.read, {})
    return { purposes: purposes.map(({ purpose, promise }) => ({ purpose, promise })), margin, photosWanted }
  },
  'linked parks': ({ administrator }) => administrator.call(relationCalls.list, { query }),
  devices: ({ administrator }) => administrator.call(deviceCalls.list, { query }),
  'device groups': ({ administrator }) => administrator.call(deviceCalls.groupTree, {}),
  'device defaults': ({ administrator }) => administrator.call(configurationCalls.park, {}),
  'device templates': ({ administrator }) => administrator.call(configurationCalls.templates, { query }),
  'terminal versions': ({ administrator }) => administrator.call(upgradeCalls.versions, { query }),
  'time rules': ({ administrator }) => administrator.call(timeRuleCalls.list, { query }),
  strategies: async ({ administrator }) => {
    const { content, total } = await administrator.call(strategyCalls.find, { body })
    return { total, content: await Promise.all(content.map(({ id }) => administrator.call(strategyCalls.read, { query: { id } }))) }
  },
  'access groups': ({ administrator }) => administrator.call(accessGroupCalls.all, {}),
  'rules of linked parks': ({ administrator }) => administrator.call(associatedRuleCalls.list, { body }),
  'written rules': ({ administrator }) => administrator.call(writtenRuleCalls.list, { query }),
  'pending changes': async ({ administrator }) => {
    const { content } = await administrator.call(pendingChangeCalls.list, { query })
    return Promise.all(content.map(({ id }) => administrator.call(pendingChangeCalls.read, { params: { id } })))
  },
  'restricted areas': ({ administrator }) => administrator.call(restrictionCalls.list, { body }),
  records: async ({ administrator }) => {
    const { content, total } = await administrator.call(recordCalls.find, { body })
    return { total, content: await Promise.all(content.map(({ id }) => administrator.call(recordCalls.read, { params: { id } }))) }
  },
  // Days without a passage are left out: how many there are depends on the day of the request.
  statistics: async ({ administrator }) => {
    const { content } = await administrator.call(recordCalls.find, { body })
    const times = content.map(({ time }) => time)
    const { summary, rows } = await administrator.call(statisticsCalls.statistics, {
      query: { from: dateOf(Math.min(...times) - DAY), to: dateOf(Math.max(...times) + DAY) },
    })
    return { summary, rows: rows.filter(({ total }) => total > 0) }
  },
  'card keys': ({ administrator }) => administrator.call(cardCalls.keys, {}),
  cards: ({ administrator }) => administrator.call(cardCalls.list, { query }),
  'what the device should hold': async ({ device }) => {
    const { strategies, timeRules, settings } = await device.call(deviceProtocolCalls.manifest, {})
    const { deviceId, name, direction, zone } = settings
    return { strategies, timeRules, settings: { deviceId, name, direction, zone } }
  },
  // With their templates.
  'persons of the device': async ({ device, modelId }) => {
    const { audience } = await device.call(deviceProtocolCalls.manifest, {})
    const { persons } = await device.call(deviceProtocolCalls.shelf, {
      params: { audience, first: 0, count: DIGEST_BUCKETS },
      query: { modelId },
    })
    return persons
  },
  'secrets of the device': async ({ device }) => {
    // A revision is derived from encrypted bytes, and only makes terminals request the settings again: an upgrade may change it while the
    // values stay the same.
    const { revision: _, ...secrets } = await device.call(configurationCalls.secrets, {})
    return secrets
  },
}

export const factNames: readonly string[] = Object.keys(FACTS)

/** Fields that depend on the time of the request rather than on stored data. */
const MOMENTARY = new Set(['lastLogin', 'lastLoginAt', 'onlineStatus', 'lastSeenAt', 'onlineSince'])
/** A signed address: file, variant, end of its validity, signature. */
const ADDRESS = /^\/files\/([0-9a-f-]{36})\/(\w+)\?/
/** The only variant that is kept with a release: some 2 kB a picture. */
const KEPT_VARIANT = '96'

/**
 * Read a fact. Time-dependent fields are left out, pictures are replaced by the digest of their bytes.
 * @param onPicture called with the path below DATA_DIR of each picture of the fact
 */
export async function readFact(name: string, asking: Asking, onPicture: (path: string) => void = () => {}): Promise<unknown> {
  const fact = FACTS[name]
  if (fact === undefined) throw new Error(`no call tells "${name}" any more: remove it from the expectations of the releases`)

  async function stable(value: unknown): Promise<unknown> {
    if (typeof value === 'string') return ADDRESS.test(value) ? picture(value) : value
    if (Array.isArray(value)) return Promise.all(value.map(stable))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).filter(([field]) => !MOMENTARY.has(field))
    return Object.fromEntries(await Promise.all(entries.map(async ([field, inner]) => [field, await stable(inner)] as const)))
  }
  async function picture(address: string): Promise<string> {
    const [, id = '', variant = ''] = ADDRESS.exec(address)!
    if (variant !== KEPT_VARIANT) return `picture ${id}`
    onPicture(`files/${id.slice(-2)}/${id}.${variant}`)
    const response = await fetch(asking.administrator.url + address)
    const bytes = new Uint8Array(await response.arrayBuffer())
    return `${response.status} ${response.headers.get('content-type')} ${createHash('sha256').update(bytes).digest('hex')}`
  }
  return stable(await fact(asking))
}
