/** Handlers of the wrong-match clinic and of the trial of liveness. */
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import { faceLivenessCalls } from '@gatehouse/contract/faces/liveness'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { LivenessTrial } from './clinic-liveness.ts'
import type { Clinic } from './clinic-types.ts'

export function clinicHandlers(clinic: Clinic, trial: LivenessTrial): MountedCall[] {
  return [
    handler(clinicCalls.analyse, ({ scope, session, params }) => clinic.analyse(scope, session, params.id)),
    handler(clinicCalls.correct, async ({ scope, session, params, body }) => ({
      id: await clinic.correct(scope, session, params.id, body),
    })),
    handler(clinicCalls.undo, async ({ scope, params }) => ({ id: await clinic.undo(scope, params.id) })),
    handler(clinicCalls.list, ({ scope, query }) => clinic.list(scope, query)),
    handler(clinicCalls.livenessTrial, ({ scope, query }) => trial.list(scope, query)),
    handler(faceLivenessCalls.addRecord, ({ scope, body }) => trial.label(scope, body.recordId, body.label)),
  ]
}
