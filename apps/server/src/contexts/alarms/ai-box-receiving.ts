/** Receives the events of AI boxes: each once, with its picture, durable before the box is answered. */
import sharp from 'sharp'
import { IMAGE_PIXELS_MAX } from '@gatehouse/contract'
import { AI_BOX_IMAGE_MAX, usualLevelOf } from '@gatehouse/contract/alarms/ai-box'
import { alarmHandlingStatusAlt } from '@gatehouse/contract/enums/alarms'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { createSemaphore } from '../../platform/async/semaphore.ts'
import type { Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { looksLikePicture } from '../../platform/documents/picture-mark.ts'
import { NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './ai-box-data.ts'
import type { AiBoxEventMessage, AiBoxNeeds, AiBoxReceiving } from './ai-box-types.ts'
import { aiBoxAlarmsChanged } from './events.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** Pictures decoded at the same time: each may take as much memory as its pixels. */
const AT_ONCE = 1
const WAITING = 200
/** Share of the waiting places that one box takes. */
const SHARE = 1 / 4
/** Event times further ahead or back are of a clock that was not set. */
const AHEAD_MS = 10 * MINUTE
const BACK_MS = 366 * DAY
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Return when an event was; when it was received, where the time the box says cannot be right: it must not hide the alarm. */
export const plausibleTime = (eventTime: number, now: number): number =>
  eventTime > now + AHEAD_MS || eventTime < now - BACK_MS ? now : eventTime

export function createAiBoxReceiving(platform: Platform, { devices, mails }: AiBoxNeeds): AiBoxReceiving {
  const { db, clock, storage } = platform
  const semaphore = createSemaphore(AT_ONCE, WAITING, SHARE)
  /** When the state of a box was last written. */
  const notedAt = new Map<string, number>()

  /** Note that a box reported, at most once a minute: it has no other way to say that it is there. */
  async function noteReport(scope: Scope, deviceId: string, ip: string, now: number): Promise<void> {
    if (now - (notedAt.get(deviceId) ?? -Infinity) < MINUTE) return
    notedAt.set(deviceId, now)
    await devices.noteStatus(scope, deviceId, { authorised: true, lastSeenAt: now, ip })
  }

  /** Write the picture of an event and return its file, which `keepCapture` registers. @throws Refusal 200205, 900000 */
  async function write(scope: Scope, deviceId: string, image: string): Promise<string> {
    // Three bytes in four characters.
    if (image.length > (AI_BOX_IMAGE_MAX * 4) / 3 + 4 || !BASE64.test(image)) refuse(200205, 'image')
    const bytes = Buffer.from(image, 'base64')
    if (!looksLikePicture(bytes)) refuse(200205, 'image')
    const leave = await semaphore.enter(1, deviceId).catch(() => refuse(900000))
    try {
      const { width = 0, height = 0 } = await sharp(bytes, { limitInputPixels: false })
        .metadata()
        .catch(() => refuse(200205, 'image'))
      if (width * height === 0 || width * height > IMAGE_PIXELS_MAX) refuse(200205, 'image')
      return (await storage.writeCapture(scope, bytes)) ?? refuse(200205, 'image')
    } finally {
      leave()
    }
  }

  function alarmOf(message: AiBoxEventMessage, device: { id: string; name: string }, fileId: string | null, now: number) {
    const { eventId, eventType, eventTypeName = '', eventTime, ipcName = '', level = usualLevelOf(eventType) } = message
    return {
      id: newId(),
      deviceId: device.id,
      deviceName: device.name,
      eventId,
      eventType,
      eventTypeName,
      eventTime: plausibleTime(eventTime, now),
      receivedAt: now,
      ipcName,
      level,
      fileId,
      status: alarmHandlingStatusAlt.unhandled,
    }
  }

  async function store(scope: Scope, alarm: data.NewAiBoxAlarm): Promise<boolean> {
    const { id, deviceId, deviceName, eventType, eventTypeName, eventTime, receivedAt, ipcName, level, fileId } = alarm
    const words: data.AiBoxWord[] = [
      { kind: 'event', value: eventType, name: eventTypeName },
      ...(ipcName === '' ? [] : [{ kind: 'camera' as const, value: ipcName, name: ipcName }]),
    ]
    return platform.transaction(async (tx) => {
      if (!(await data.insertAlarm(scope, tx, alarm))) return false
      if (fileId !== null) await storage.keepCapture(tx, scope, fileId)
      await data.noteWords(scope, tx, deviceId, words, { now: receivedAt, before: receivedAt - DAY })
      await mails.note(tx, scope, {
        alarmId: id,
        kind: 'aiBox',
        at: eventTime,
        key: `${deviceId} ${ipcName} ${eventType}`,
        level,
        event: eventType,
        eventName: eventTypeName,
        place: ipcName,
        deviceId,
        deviceName,
      })
      await platform.events.announce(tx, aiBoxAlarmsChanged, scope.parkId, { ids: [id] })
      return true
    })
  }

  return {
    async receive({ deviceId, parkId }, message, ip) {
      const scope: Scope = { parkId }
      const [device] = await devices.facts(scope, [deviceId])
      if (device?.type !== deviceType.aiBox) throw new NotFound()
      const now = clock.now()
      await noteReport(scope, deviceId, ip, now)
      const storedId = await data.findAlarmOfEvent(scope, db, deviceId, message.eventId)
      if (storedId !== undefined) return { id: storedId, repeated: true }
      const fileId = message.image === undefined || message.image === '' ? null : await write(scope, deviceId, message.image)
      const alarm = alarmOf(message, device, fileId, now)
      if (await store(scope, alarm)) return { id: alarm.id, repeated: false }
      // Of two sent at once, the second is not needed. After a fault the bytes stay: it is not known whether the transaction committed.
      if (fileId !== null) await storage.discardCapture(fileId)
      const first = await data.findAlarmOfEvent(scope, db, deviceId, message.eventId)
      if (first === undefined) throw new NotFound()
      return { id: first, repeated: true }
    },
  }
}
