/**
 * The wrong-match clinic: which photograph made a terminal take one person for another, and what is done about it. A correction
 * changes neither the record nor any figure made from records. It changes how the person is compared from then on and stores its
 * own changes, so that undoing it reverts those and nothing else.
 */
import type { Platform } from '../../platform/context.ts'
import { createAnalysis } from './analysis.ts'
import { createCorrections } from './corrections.ts'
import * as data from './data.ts'
import type { ClinicDependencies } from './dependencies.ts'
import { createPassages } from './passages.ts'
import type { Clinic } from './clinic-types.ts'

export function createClinic(platform: Platform, { people, faces }: Pick<ClinicDependencies, 'people' | 'faces'>): Clinic {
  const passages = createPassages(platform, people)
  return {
    analyse: createAnalysis({ platform, people, faces, passages }),
    ...createCorrections(platform, faces, passages),
    async list(scope, query) {
      const { content, total } = await data.listCorrections(scope, platform.db, query)
      return { total, content: await passages.present(scope, content), page: query.page, size: query.size }
    },
    erasePark: (tx, scope) => data.deleteCorrectionsOfPark(scope, tx),
  }
}
