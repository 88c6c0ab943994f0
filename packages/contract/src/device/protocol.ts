/**
 * What a terminal and the server say to each other. Bulk goes over HTTP (service `device`, Basic with the device's
 * code and secret), short messages over MQTT under `gatehouse/1/{code}/…` with the same credentials. Every message is
 * checked on arrival on both sides.
 */
import { z } from 'zod'
import { call } from '../call.ts'
import { timeRuleFields } from '../access/calls.ts'
import { id, instant } from '../schema.ts'

/** Topics of one device. `up`: device to server, `down`: server to device. */
export const deviceTopics = (code: string) => ({
  /** Retained; the broker sends `{ online: false }` as the last will. */
  status: `gatehouse/1/${code}/up/status`,
  records: `gatehouse/1/${code}/up/records`,
  answer: `gatehouse/1/${code}/up/answer`,
  acknowledged: `gatehouse/1/${code}/down/acknowledged`,
  changed: `gatehouse/1/${code}/down/changed`,
  command: `gatehouse/1/${code}/down/command`,
})
export const UPLINK_PATTERN = 'gatehouse/1/+/up/#'

/** Settings a terminal decides by. */
export const deviceSettings = z.object({
  deviceId: id,
  name: z.string(),
  direction: z.number().int(),
  zone: z.string(),
  /** Lowest score (0..100, raw: before `shownScore`) at which a face counts as recognised. */
  threshold: z.number(),
})
export type DeviceSettings = z.output<typeof deviceSettings>

export const strategyObject = z.object({
  id,
  timeRuleIds: z.array(id),
  methods: z.array(z.number().int()),
  validFrom: instant.nullable(),
  validTo: instant.nullable(),
})
export const timeRuleObject = timeRuleFields.extend({ id, effectiveDate: z.string().nullable() })

/** Everything the device should hold, persons by id and version only: `[id, version, indexes into strategies]`. */
export const manifest = z.object({
  /** Names this state; quoted on records and in `held`. */
  revision: z.string(),
  settings: deviceSettings,
  strategies: z.array(strategyObject),
  timeRules: z.array(timeRuleObject),
  persons: z.array(z.tuple([id, z.number().int(), z.array(z.number().int())])),
})
export type Manifest = z.output<typeof manifest>

export const personObject = z.object({
  id,
  version: z.number().int(),
  name: z.string(),
  workNumber: z.string(),
  enabled: z.boolean(),
  validFrom: instant.nullable(),
  validTo: instant.nullable(),
  /** base64 of little-endian float32. */
  faces: z.array(z.object({ faceId: id, modelId: z.string(), template: z.string() })),
})
export type PersonObject = z.output<typeof personObject>

/** First message after connecting, retained; `held` repeats after every applied manifest. */
export const statusMessage = z.object({
  online: z.boolean(),
  version: z.string().max(64).optional(),
  ip: z.string().max(64).optional(),
  modelId: z.string().max(64).optional(),
  /** The manifest last applied in full, and the persons named in it that could not be taken, with why. */
  held: z.object({ revision: z.string().max(64), persons: z.number().int(), failed: z.array(z.object({ personId: id, reason: z.string().max(200) })).max(1000) }).optional(),
})
export type StatusMessage = z.output<typeof statusMessage>

/** One passage, numbered per device and boot epoch from 1 without gaps. */
export const recordObject = z.object({
  seq: z.number().int().min(1),
  occurredAt: instant,
  personId: id.nullable(),
  personName: z.string().max(64),
  result: z.number().int().min(0).max(1),
  failReason: z.number().int().nullable(),
  verifyType: z.number().int(),
  direction: z.number().int(),
  score: z.number().nullable(),
  /** Compact checks of `access-rules`, at most 400 bytes. */
  checks: z.string().max(400),
  revision: z.string().max(64),
  hasPicture: z.boolean(),
})
export type RecordObject = z.output<typeof recordObject>
/** `sentAt` is the device's clock at sending: the server records the offset. */
export const recordsMessage = z.object({ epoch: z.string().min(1).max(64), sentAt: instant, records: z.array(recordObject).min(1).max(500) })
export type RecordsMessage = z.output<typeof recordsMessage>
/** All numbers up to `ackSeq` of this epoch are stored. Sent after commit, and on connection. */
export const acknowledgedMessage = z.object({ epoch: z.string(), ackSeq: z.number().int() })
export const changedMessage = z.object({ revision: z.string() })
export const commandMessage = z.object({ id, name: z.literal('controlDoor'), operateType: z.number().int() })
export type CommandMessage = z.output<typeof commandMessage>
/** `errorType` as of controlDoor: 2 and 3 business error, 4 error. */
export const answerMessage = z.object({ id, isSuccess: z.boolean(), errorType: z.number().int().nullable() })

export const deviceProtocolCalls = {
  pair: call({
    method: 'POST',
    service: 'device',
    path: '/pair',
    permission: 'device',
    summary: 'A terminal presents itself; answers how to reach the broker and what it already stored.',
    body: z.object({ version: z.string().max(64), modelId: z.string().max(64), epoch: z.string().max(64) }),
    data: z.object({
      deviceId: id,
      name: z.string(),
      /** Port of the broker on the same host, unless `mqttUrl` names another. */
      mqttPort: z.number().int(),
      mqttUrl: z.string().nullable(),
      /** Highest number stored of the device's epoch, 0 if none. */
      ackSeq: z.number().int(),
      serverTime: instant,
    }),
    origin: 'own',
  }),
  manifest: call({
    method: 'GET',
    service: 'device',
    path: '/manifest',
    permission: 'device',
    summary: 'What the device should hold now.',
    data: manifest,
    origin: 'own',
  }),
  persons: call({
    method: 'POST',
    service: 'device',
    path: '/persons',
    permission: 'device',
    summary: 'Persons of the manifest by id, with templates; those the device is not entitled to are left out.',
    body: z.object({ ids: z.array(id).min(1).max(500), modelId: z.string().max(64) }),
    data: z.object({ persons: z.array(personObject) }),
    origin: 'own',
  }),
  identify: call({
    method: 'POST',
    service: 'device',
    path: '/identify',
    permission: 'device',
    summary: 'Whether a face the terminal does not hold is known in the park (fail reasons 19, 902, 904).',
    body: z.object({ modelId: z.string().max(64), template: z.string().max(20_000) }),
    data: z.object({ personId: id.nullable(), personName: z.string(), score: z.number().nullable(), failReason: z.number().int() }),
    origin: 'own',
  }),
  picture: call({
    method: 'POST',
    service: 'device',
    path: '/record/{id}/picture',
    permission: 'device',
    summary: 'The picture of a record that was sent before; repeated sending changes nothing.',
    params: z.object({ id }),
    consumes: 'multipart',
    data: z.object({ id }),
    bodyLimit: 2 * 1024 * 1024,
    origin: 'own',
  }),
}
