/**
 * Pictures of captures: those that follow captures a camera has numbered, and those of cameras that send nothing but pictures. The server
 * makes the templates that cameras made none of, and compares them then.
 */
import { RECORD_NAMESPACE } from '@gatehouse/contract/device/record-id'
import type { Platform } from '../../platform/context.ts'
import { recordId, uuidV5 } from '../../platform/database/ids.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { isStorableText } from '../../platform/http/nul.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'
import type { FaceInPicture } from '../faces/index.ts'
import * as data from './captures-data.ts'
import { cameraOf } from './captures-camera.ts'
import type { CaptureFaces } from './captures-faces.ts'
import type { CaptureKeeping } from './captures-keeping.ts'
import type { RecentlyDone } from './captures-passing.ts'
import { CAPTURE_TEMPLATE } from './captures-schema.ts'
import { isIdentified, type CaptureStore } from './captures-store.ts'
import type { Camera, CaptureDependencies, PreparedCapture, TaskOutcome } from './captures-types.ts'
import { captureCompanions } from './extension-points.ts'
import type { MatchFace } from './matching.ts'
import { announceTemplates } from './search-events.ts'

export interface CapturePictures {
  /**
   * Store the picture of a capture; one that has a picture keeps it.
   * @throws NotFound no camera, or no such capture; Refusal 200205 unreadable; TooManyTries too many pictures wait
   */
  attach(device: DevicePrincipal, at: { epoch: string; seq: number }, picture: Uint8Array): Promise<void>
  /**
   * Make a capture of each face of a picture; return how many. A picture that was taken before makes no others.
   * @throws NotFound no camera; Refusal as `FacesIn`
   */
  post(device: DevicePrincipal, event: { eventId: string; occurredAt?: number | undefined }, picture: Uint8Array): Promise<number>
}

/** Width in pixels from which a face of a posted picture becomes a capture: smaller ones are mistaken for others too often. */
const FACE_WIDTH_MIN = 40
/** Faces of one posted picture that become captures, the most prominent. */
const FACES_MAX = 20

/** A face of a posted picture, cut out and stored under the id of its future capture. */
interface WrittenFace {
  id: string
  face: FaceInPicture
  fileId: string
  outcomes: readonly TaskOutcome[]
}

interface PictureParts {
  store: CaptureStore
  match: MatchFace
  keeping: Pick<CaptureKeeping, 'of' | 'count'>
  captureFaces: CaptureFaces
  recent: RecentlyDone
}

/** Return a capture made of a face of a posted picture. @param template sealed */
const captureOf = (
  camera: Camera,
  { id, face, fileId, outcomes }: WrittenFace,
  template: Buffer,
  { at, now }: { at: number; now: number },
): PreparedCapture => ({
  outcomes,
  row: {
    id,
    deviceId: camera.id,
    deviceName: camera.name,
    deviceType: camera.type,
    enteredAt: at,
    capturedAt: at,
    leftAt: at,
    receivedAt: now,
    quality: face.quality,
    faceWidth: face.width,
    modelId: face.modelId,
    template,
    fileId,
    comparedAt: now,
  },
})

export function createCapturePictures(
  platform: Platform,
  needs: Pick<CaptureDependencies, 'devices'>,
  { store, match, keeping, captureFaces, recent }: PictureParts,
): CapturePictures {
  const { db, clock, crypto, storage } = platform

  const sealed = (scope: Scope, id: string, template: Uint8Array): Promise<Buffer> =>
    crypto.seal(scope.parkId, placeOf(CAPTURE_TEMPLATE, id), template)

  const keepsMatchedOnly = async (scope: Scope, deviceId: string): Promise<boolean> =>
    (await keeping.of(scope, deviceId)).keeping === 'matchedOnly'

  /** Return the template of the foremost face and what tasks make of it; null where the picture shows none. */
  async function compared(scope: Scope, capture: data.StoredCapture, picture: Uint8Array) {
    // The picture of a capture is kept even if nothing can be made of it.
    const face = await captureFaces.foremost(picture, capture.deviceId)
    if (face === null) return null
    const outcomes = await match(scope, capture.deviceId, capture.capturedAt, face)
    return { outcomes, modelId: face.modelId, template: await sealed(scope, capture.id, face.template), comparedAt: clock.now() }
  }

  async function attachTo(scope: Scope, capture: data.StoredCapture, picture: Uint8Array): Promise<void> {
    const made = capture.comparedAt === null ? await compared(scope, capture, picture) : null
    // Stored before the camera was set to keep nobody who matches no task: its picture is not, and it is deleted with the next removal.
    if (capture.comparedAt === null && !isIdentified(made?.outcomes ?? null) && (await keepsMatchedOnly(scope, capture.deviceId)))
      throw new NotFound()
    const fileId = await storage.writeCapture(scope, picture)
    // A permanent refusal: after a temporary fault the camera would send it again for ever.
    if (fileId === null) refuse(200205, 'file')
    const isAttached = await platform.transaction(async (tx) => {
      if (!(await data.addPicture(scope, tx, capture.id, fileId, made))) return false
      await storage.keepCapture(tx, scope, fileId)
      if (made !== null) {
        await announceTemplates(platform.events, tx, scope, [capture])
        const { deviceId, deviceName, deviceType, capturedAt, receivedAt } = capture
        const row = { id: capture.id, deviceId, deviceName, deviceType, capturedAt, receivedAt }
        await store.match(tx, scope, [{ row, outcomes: made.outcomes }])
      }
      for (const companion of platform.extensions.all(captureCompanions)) await companion.pictured?.(tx, scope, capture.id)
      return true
    })
    // Of two sent at once, the second is not needed; and nothing is kept of a capture that was deleted meanwhile.
    if (!isAttached) await storage.discardCapture(fileId)
  }

  async function postOnce(scope: Scope, camera: Camera, event: { eventId: string; at: number; now: number }, picture: Uint8Array) {
    const { eventId, at, now } = event
    const before = await data.findPosted(scope, db, camera.id, eventId)
    if (before !== undefined) return before
    const set = await keeping.of(scope, camera.id)
    const isMatchedOnly = set.keeping === 'matchedOnly'
    const found = (await captureFaces.in(picture, camera.id)).filter(({ width }) => width >= FACE_WIDTH_MIN).slice(0, FACES_MAX)
    const written: WrittenFace[] = []
    for (const [index, face] of found.entries()) {
      const outcomes = await match(scope, camera.id, at, face)
      // Nothing reaches the disk before it is certain that it is kept.
      if (isMatchedOnly && !isIdentified(outcomes)) continue
      const fileId = await storage.writeCapture(scope, await face.cutOut())
      if (fileId === null) refuse(200205, 'file')
      written.push({ id: uuidV5(RECORD_NAMESPACE, `${camera.id}/posted/${eventId}/${index}`), face, fileId, outcomes })
    }
    const prepared = await Promise.all(
      written.map(async (one) => captureOf(camera, one, await sealed(scope, one.id, one.face.template), event)),
    )
    const stored = await platform.transaction(async (tx) => {
      const kept = await store.kept(tx, scope, set, prepared)
      // That a picture was taken says that somebody passed: of those who are not kept it is remembered in memory only.
      const isNoted = !isMatchedOnly || kept.length > 0
      if (isNoted && !(await data.insertPosted(scope, tx, { deviceId: camera.id, eventId, captures: kept.length }, now))) return null
      for (const { row } of kept) await storage.keepCapture(tx, scope, row.fileId!)
      await store.add(tx, scope, kept)
      if (isMatchedOnly) await keeping.count(tx, scope, camera.id, { passed: found.length, kept: kept.length })
      return kept
    })
    const storedIds = new Set(stored?.map(({ row }) => row.id))
    for (const { id, fileId } of written) if (!storedIds.has(id)) await storage.discardCapture(fileId)
    return stored?.length ?? (await data.findPosted(scope, db, camera.id, eventId)) ?? 0
  }

  return {
    async attach(device, { epoch, seq }, picture) {
      const scope = { parkId: device.parkId }
      const camera = await cameraOf(needs, scope, device.deviceId)
      const capture = await data.findCaptureOfDevice(scope, db, camera.id, recordId(camera.id, epoch, seq))
      if (capture === undefined) throw new NotFound()
      if (capture.fileId === null) await attachTo(scope, capture, picture)
    },
    async post(device, { eventId, occurredAt }, picture) {
      if (!isStorableText(eventId)) throw new InvalidRequest([{ path: 'eventId', rule: 'text' }])
      const scope = { parkId: device.parkId }
      const camera = await cameraOf(needs, scope, device.deviceId)
      const now = clock.now()
      // Nothing says how wrong the clock of such a camera is; only that nothing was captured later than now.
      const event = { eventId, at: Math.min(now, occurredAt ?? now), now }
      return recent.once(`${camera.id}/posted/${eventId}`, () => postOnce(scope, camera, event, picture))
    },
  }
}
