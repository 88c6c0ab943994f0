/** The alarm of a stranger: captures raise them, for which a test without faces has none. */
import { newId } from '@gatehouse/server/platform/database/ids'
import { sql } from '@gatehouse/server/platform/database/database'
import type { MadeDevice, Site, World } from '@gatehouse/dev-env/world'

/** Store an unhandled alarm at a device. */
export async function insertFaceAlarm(
  { server, clock, park }: Pick<World, 'server' | 'clock'> & Pick<Site, 'park'>,
  device: MadeDevice,
): Promise<{ id: string; taskId: string }> {
  const [id, taskId, now] = [newId(), newId(), new Date(clock.now())]
  await sql`INSERT INTO face_alarm (id, park_id, level, status, raised_at, captured_at, last_captured_at, captures, operator,
      dealing_record, person_name, group_name, capture_id, task_id, task_name, device_id, device_name, device_type, sound, version,
      updated_at)
    VALUES (${id}, ${park.id}, 2, 1, ${now}, ${now}, ${now}, 1, '', '', '', '', ${newId()}, ${taskId}, 'Gate', ${device.id},
      ${device.name}, 1, 1, 1, ${now})`.execute(server.platform.db)
  return { id, taskId }
}
