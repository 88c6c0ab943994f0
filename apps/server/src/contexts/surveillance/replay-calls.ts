/** Handler of the replay of a task. */
import { replayCalls as calls } from '@gatehouse/contract/surveillance/replay'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import { scopeOfAlarms } from './policy.ts'
import type { Replay } from './replay-types.ts'

/**
 * What became of alarms is shown to those who may see alarms. Each part is kept in the log of reads with the persons it names, the first
 * one also where it names nobody.
 */
export const replayHandlers = ({ audit }: Pick<Platform, 'audit'>, replay: Replay): MountedCall[] => [
  handler(calls.compare, async ({ scope, session, ip, body, signal }) => {
    const answer = await replay.compare(scope, body, scopeOfAlarms(session), signal)
    const subjects = answer.persons.map(({ id }) => id)
    audit.read(calls.compare, session, ip, subjects, body.after === undefined)
    return answer
  }),
]
