/** A visitor machine that is only a connection, for tests: the test decides what it keeps and says. */
import { randomUUID } from 'node:crypto'
import type { DataOf, InputOf } from '@gatehouse/contract'
import { visitorMachineCalls } from '@gatehouse/contract/device/visitor-machine'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { createClient } from '@gatehouse/dev-env/client'
import type { MadeDevice, World } from '@gatehouse/dev-env/world'

type Sent = InputOf<(typeof visitorMachineCalls)['events']['body']>['events'][number]
type Result = DataOf<(typeof visitorMachineCalls)['events']>['results'][number]

const NO_MODEL = ''

/** Return a machine as its page and its store drive it. @param skew milliseconds by which its clock is ahead of the server's */
export function machineOf(world: Pick<World, 'url' | 'clock'>, device: MadeDevice, skew = 0) {
  const client = createClient(world.url, { basic: [device.code, device.secret] })
  const now = (): number => world.clock.now() + skew
  const event = (visitId: string, kind: Sent['kind'] = 'signedIn', change: Partial<Sent> = {}): Sent => ({
    id: randomUUID(),
    visitId,
    kind,
    occurredAt: now(),
    status: kind === 'signedIn' ? visitorStatus.notYetVisited : visitorStatus.checkedIn,
    score: 91.5,
    ...change,
  })
  const send = async (...events: Sent[]): Promise<Result[]> =>
    (await client.call(visitorMachineCalls.events, { body: { sentAt: now(), events } })).results
  const take = (known: readonly (readonly [string, number])[] = [], modelId = NO_MODEL) =>
    client.call(visitorMachineCalls.visits, { body: { modelId, known: known.map(([id, version]): [string, number] => [id, version]) } })
  return { client, now, event, send, take }
}
export type VisitorMachine = ReturnType<typeof machineOf>
