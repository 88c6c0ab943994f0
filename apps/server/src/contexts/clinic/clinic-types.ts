/** Types of the wrong-match clinic. */
import type { OutputOf } from '@gatehouse/contract'
import type { MatchAnalysis, clinicCalls } from '@gatehouse/contract/clinic/calls'
import type { z } from 'zod'
import type { Transaction } from '../../platform/database/database.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import type { FaceViewer } from '../faces/index.ts'
import type * as data from './data.ts'

export type CorrectionFields = OutputOf<(typeof clinicCalls)['correct']['body']>
export type CorrectionPage = z.output<(typeof clinicCalls)['list']['data']>
export interface Clinic {
  /**
   * Compare the picture of a record with the current photographs. Each call runs the engine; nothing is stored, least of all a
   * face. The answer says what cannot be compared.
   * @param viewer other persons who look like the face are searched only if the viewer may learn them
   * @throws NotFound; Refusal 900000 while the engine has too much to do
   */
  analyse(scope: Scope, viewer: FaceViewer, recordId: string): Promise<MatchAnalysis>
  /**
   * State that a record shows another person; an earlier correction of the record is undone first. Return the id of the
   * correction.
   * @param actor the user who makes the correction
   * @throws NotFound; InvalidRequest for a record without a person, an unknown person, the same person, or photographs of others;
   *   Refusal 200201
   */
  correct(scope: Scope, actor: Actor, recordId: string, fields: CorrectionFields): Promise<string>
  /** Undo the correction of a record and return its id. @throws NotFound where there is none */
  undo(scope: Scope, recordId: string): Promise<string>
  list(scope: Scope, query: data.CorrectionQuery): Promise<CorrectionPage>
  erasePark(tx: Transaction, scope: Scope): Promise<void>
}
