/** Passages of visitors as a terminal reports them, for tests that need no terminal. */
import { randomUUID } from 'node:crypto'
import { accessResult, verifyType } from '@gatehouse/contract/enums'
import type { World } from '@gatehouse/dev-env/world'

/** Report that a person was admitted at a door. */
export async function passAt(
  world: World,
  parkId: string,
  { deviceId, personId, direction }: { deviceId: string; personId: string; direction: number },
): Promise<void> {
  const now = world.clock.now()
  const record = {
    seq: 1,
    occurredAt: now,
    personId,
    personName: 'Grace Hopper',
    result: accessResult.allowed,
    failReason: null,
    verifyType: verifyType.face,
    direction,
    score: 90,
    checks: '[]',
    revision: '1',
    hasPicture: false,
  }
  const batch = { epoch: randomUUID(), oldestSeq: 1, sentAt: now, records: [record] }
  await world.server.contexts.records.ingest({ deviceId, parkId }, batch)
  await world.server.platform.events.settled()
}
