/** Cameras that capture faces, for tests: a task that looks out for people at one, and what the camera sends. */
import type { InputOf } from '@gatehouse/contract'
import { numberedCalls } from '@gatehouse/contract/device/numbered'
import { deviceType } from '@gatehouse/contract/enums'
import { captureCalls, type CaptureRecord } from '@gatehouse/contract/surveillance/captures'
import { monitoringTaskCalls } from '@gatehouse/contract/surveillance/tasks'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { ALWAYS_OPEN, type Made, type MadeDevice, type Site } from '@gatehouse/dev-env/site'
import type { World } from '@gatehouse/dev-env/world'

type TaskFields = InputOf<(typeof monitoringTaskCalls)['add']['body']>
type Message = InputOf<(typeof numberedCalls)['captures']['body']>
export type SentCapture = Message['captures'][number]

const DAY = 86_400_000
let tasks = 0
let events = 0

export const camera = (site: Site): Promise<MadeDevice> => site.device({ type: deviceType.captureCamera, model: 1 })

/** Create a task that is in control at any hour. */
export async function task(
  world: World,
  site: Site,
  { devices, groups, ...fields }: Partial<TaskFields> & { devices: readonly Made[]; groups: readonly { id: string }[] },
): Promise<string> {
  const now = world.clock.now()
  const body = {
    name: `Task ${++tasks}`,
    startTime: now - DAY,
    endTime: now + DAY,
    periods: ALWAYS_OPEN,
    deviceIds: devices.map(({ id }) => id),
    personGroupIds: groups.map(({ id }) => id),
    ...fields,
  }
  return (await site.call(monitoringTaskCalls.add, { body })).id
}

/** What a camera sends: its own numbers and clock, and pictures. */
export function sending(world: World, device: MadeDevice, epoch = 'boot-1') {
  const client = createClient(world.url, { basic: [device.code, device.secret] })
  let seq = 0
  const captured = (fields: Partial<SentCapture> = {}): SentCapture => {
    const at = world.clock.now()
    return {
      seq: ++seq,
      enteredAt: at,
      capturedAt: at,
      leftAt: at,
      quality: 0.9,
      faceWidth: 120,
      template: null,
      hasPicture: false,
      ...fields,
    }
  }
  return {
    client,
    /** Return the next capture of the camera. */
    captured,
    send: (captures: readonly SentCapture[], more: Partial<Message> = {}) =>
      client.ask(numberedCalls.captures, {
        body: {
          epoch,
          oldestSeq: 1,
          sentAt: world.clock.now(),
          modelId: world.server.contexts.faces.service.modelId,
          captures: [...captures],
          ...more,
        },
      }),
    picture: (of: number, file: Uint8Array) => client.ask(numberedCalls.capturePicture, { params: { epoch, seq: of }, file }),
    /** Send a picture by itself, as cameras do that cannot recognise faces. */
    post: (file: Uint8Array, query: { eventId?: string; occurredAt?: number } = {}) =>
      client.ask(numberedCalls.postedCapture, { query: { eventId: `event-${++events}`, ...query }, file }),
  }
}

/** Return the template of the foremost face of a picture as a camera sends it. */
export async function templateOf(world: World, picture: Uint8Array): Promise<string> {
  const [face] = await world.server.contexts.faces.service.facesIn(picture, 'test')
  return face!.template.toString('base64')
}

/** Return all rows of a list of captures. */
export const captures = async (
  client: Pick<Client, 'call'>,
  body: InputOf<(typeof captureCalls)['find']['body']> = {},
): Promise<CaptureRecord[]> => (await client.call(captureCalls.find, { body })).content
export const identified = (client: Pick<Client, 'call'>, body: InputOf<(typeof captureCalls)['find']['body']> = {}) =>
  captures(client, { list: 'identified', ...body })
