/** Captures written directly into the tables, for benchmarks. There are no pictures. */
import { deviceType } from '@gatehouse/contract/enums'
import type { World } from '@gatehouse/dev-env/world'
import { bytesOfEmbedding } from '@gatehouse/face-engine'
import { insertCaptures } from '@gatehouse/server/contexts/surveillance/captures-data'
import { CAPTURE_TEMPLATE } from '@gatehouse/server/contexts/surveillance/captures-schema'
import { newId } from '@gatehouse/server/platform/database/ids'
import { placeOf } from '@gatehouse/server/platform/encryption/sealed-column'

/** Rows that are inserted at a time. */
const BATCH = 2000

/** Insert captures, spread evenly over the time until before `until`, as cameras would have sent them. */
export async function seedCaptures(
  { server: { platform, contexts }, park }: World,
  {
    count,
    from,
    until,
    deviceIds,
    face,
  }: { count: number; from: number; until: number; deviceIds: readonly string[]; face: () => Float32Array },
): Promise<void> {
  const { modelId } = contexts.faces.service
  const row = async (index: number) => {
    const id = newId()
    const at = Math.floor(from + (index / count) * (until - from))
    return {
      id,
      deviceId: deviceIds[index % deviceIds.length]!,
      deviceName: 'Camera',
      deviceType: deviceType.captureCamera,
      enteredAt: at,
      capturedAt: at,
      leftAt: at,
      receivedAt: at,
      quality: 1,
      faceWidth: 100,
      modelId,
      template: await platform.crypto.seal(park.id, placeOf(CAPTURE_TEMPLATE, id), bytesOfEmbedding(face())),
      fileId: null,
      comparedAt: null,
      keptUntil: null,
      matchedOnly: false,
    }
  }
  for (let start = 0; start < count; start += BATCH) {
    const rows = await Promise.all(Array.from({ length: Math.min(BATCH, count - start) }, (_, at) => row(start + at)))
    await insertCaptures({ parkId: park.id }, platform.db, rows)
  }
}
