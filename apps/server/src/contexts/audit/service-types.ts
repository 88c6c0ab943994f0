/** The reader of the operation log. */
import type { Session } from '../../platform/session/session.ts'

export type Viewer = Pick<Session, 'scope' | 'masking' | 'circumstances' | 'organisationId'>
