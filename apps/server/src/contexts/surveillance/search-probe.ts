/** Whose face is looked for: the templates that captures are compared with. */
import type { OutputOf } from '@gatehouse/contract'
import type { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { embeddingOfBytes } from '../faces/index.ts'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './search-data.ts'
import type { CaptureTemplates } from './search-templates.ts'
import type { SearchDependencies } from './search-types.ts'

export type ProbeFields = Pick<OutputOf<(typeof faceSearchCalls)['search']['body']>, 'faceId' | 'personId' | 'captureId'>

export interface FaceProbe {
  /** At least one; the nearest of them counts. */
  embeddings: Float32Array[]
  /** The person whose face it is, where a person or their capture was named. */
  person: { id: string; name: string } | null
}

export interface ProbeReader {
  /**
   * @throws InvalidRequest unless exactly one is named; NotFound for what the caller may not see; Refusal 500015 where there is no template
   *   of the running model
   */
  read(scope: Scope, fields: ProbeFields): Promise<FaceProbe>
}

/** The id that a probe names, for the log of reads. @throws InvalidRequest unless exactly one is named */
export function probeIdOf({ faceId, personId, captureId }: ProbeFields): string {
  const [id, ...more] = [faceId, personId, captureId].filter((one) => one !== undefined)
  if (id === undefined) throw new InvalidRequest([{ path: 'faceId', rule: 'required' }])
  if (more.length > 0) throw new InvalidRequest([{ path: faceId !== undefined ? 'faceId' : 'personId', rule: 'conflict' }])
  return id
}

export function createProbeReader(
  { db }: Pick<Platform, 'db'>,
  { faces, people }: Pick<SearchDependencies, 'faces' | 'people'>,
  templates: Pick<CaptureTemplates, 'open'>,
): ProbeReader {
  const { modelId } = faces

  async function personOf(scope: Scope, personId: string): Promise<FaceProbe['person']> {
    const [person] = await people.describe(scope, [personId])
    return person === undefined ? null : { id: person.id, name: person.name }
  }

  async function ofPerson(scope: Scope, personId: string): Promise<FaceProbe> {
    const person = await personOf(scope, personId)
    if (person === null) throw new NotFound()
    const photographs = await faces.templatesOf(scope, [personId], modelId)
    if (photographs.size === 0) refuse(500015, 'personId')
    return { embeddings: [...photographs.values()].map((template) => embeddingOfBytes(template)), person }
  }

  async function ofCapture(scope: Scope, captureId: string): Promise<FaceProbe> {
    const capture = await data.findCapture(scope, db, captureId)
    if (capture === undefined) refuse(500015, 'captureId')
    const [opened] = await templates.open(scope, await data.readTemplates(scope, db, [captureId], modelId))
    if (opened === undefined) refuse(500015, 'captureId')
    const personId = await data.findIdentified(scope, db, captureId)
    return { embeddings: [opened.embedding], person: personId === null ? null : await personOf(scope, personId) }
  }

  return {
    async read(scope, fields) {
      probeIdOf(fields)
      if (fields.personId !== undefined) return ofPerson(scope, fields.personId)
      if (fields.captureId !== undefined) return ofCapture(scope, fields.captureId)
      const template = await faces.templateOfCached(scope, fields.faceId!)
      if (template === null) throw new NotFound()
      return { embeddings: [embeddingOfBytes(template)], person: null }
    },
  }
}
