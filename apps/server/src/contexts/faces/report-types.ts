/** Types of the own-gallery report: what it needs of other parts. */
import type { EngineDescription, GalleryMatch } from '@gatehouse/face-engine'
import type { Scope } from '../../platform/session/session.ts'
import type { SearchOptions } from './gallery.ts'
import type { DescribedPerson } from './report-gallery.ts'

export interface ReportNeeds {
  engine: EngineDescription
  /** The door's threshold as a raw score. */
  doorScoreOf(scope: Scope): Promise<number>
  search(scope: Scope, modelId: string, template: Uint8Array, options: SearchOptions): Promise<GalleryMatch[]>
  /** Facts of registered persons; unknown ids are left out. */
  persons(scope: Scope, ids: readonly string[]): Promise<readonly DescribedPerson[]>
  /** Ids of the persons that the demo created. */
  demoPersons(scope: Scope): Promise<ReadonlySet<string>>
  /** Ids of persons the caller may not see. */
  unseen(scope: Scope): Promise<{ ids: ReadonlySet<string> }>
  thumbnailOf(scope: Scope, fileId: string): string
}
