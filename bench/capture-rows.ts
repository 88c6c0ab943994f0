/** Captures written directly into the tables, for benchmarks. There are no pictures. */
import type { World } from '@gatehouse/dev-env/world'
import { bytesOfEmbedding } from '@gatehouse/face-engine'
import { CAPTURE_TEMPLATE } from '@gatehouse/server/contexts/surveillance/captures-schema'
import { sql } from '@gatehouse/server/platform/database/database'
import { newId } from '@gatehouse/server/platform/database/ids'
import { placeOf } from '@gatehouse/server/platform/encryption/sealed-column'

/** Rows that are inserted at a time. */
const BATCH = 2000

/** Insert captures, spread evenly over the time until before `until`, as cameras would have sent them. */
export async function insertCaptures(
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
  for (let start = 0; start < count; start += BATCH) {
    const rows = await Promise.all(
      Array.from({ length: Math.min(BATCH, count - start) }, async (_, at) => {
        const id = newId()
        return {
          id,
          template: await platform.crypto.seal(park.id, placeOf(CAPTURE_TEMPLATE, id), bytesOfEmbedding(face())),
          deviceId: deviceIds[at % deviceIds.length],
          time: new Date(Math.floor(from + ((start + at) / count) * (until - from))),
        }
      }),
    )
    const column = (values: readonly unknown[], type: string) => sql`${sql.val(values)}::${sql.raw(type)}[]`
    const ids = column(
      rows.map(({ id }) => id),
      'uuid',
    )
    const templates = column(
      rows.map(({ template }) => template),
      'bytea',
    )
    const devices = column(
      rows.map(({ deviceId }) => deviceId),
      'uuid',
    )
    const times = column(
      rows.map(({ time }) => time),
      'timestamptz',
    )
    await sql`INSERT INTO capture (id, park_id, device_id, device_name, device_type, entered_at, captured_at, left_at, received_at, quality,
        face_width, model_id, template)
      SELECT id, ${park.id}::uuid, device_id, 'Camera', 1, at, at, at, at, 1, 100, ${modelId}, template
      FROM unnest(${ids}, ${templates}, ${devices}, ${times}) AS made (id, template, device_id, at)`.execute(platform.db)
  }
}
