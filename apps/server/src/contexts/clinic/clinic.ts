/**
 * The wrong-match clinic: which photograph made a terminal take somebody for a person, and what is done about it. A
 * correction changes neither the record nor any figure made of records; it changes how the person is compared from then
 * on, and knows what it changed itself, so that taking it back restores that and nothing else.
 */
import type { z } from 'zod'
import type { OutputOf } from '@gatehouse/contract'
import type { Correction, MatchAnalysis, clinicCalls } from '@gatehouse/contract/clinic/calls'
import { FACE_REFUSALS } from '@gatehouse/contract/faces/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import { InvalidRequest, NotFound, Refusal } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import type { ClinicDependencies } from './dependencies.ts'

export type CorrectionFields = OutputOf<(typeof clinicCalls)['correct']['body']>
export type CorrectionPage = z.output<(typeof clinicCalls)['list']['data']>

export interface Clinic {
  /**
   * Compares the picture of a record with the photographs on file now. Costs a run of the engine each time: nothing of
   * it is kept, least of all a face. What cannot be compared is said in the answer.
   * @param wishes.next whether to search for others who look like the face
   * @throws NotFound; Refusal 900000 while the engine has too much to do
   */
  analyse(scope: Scope, recordId: string, wishes: { next: boolean }): Promise<MatchAnalysis>
  /**
   * Says that it was not this person; said before, that is taken back first. Answers the id of what was said.
   * @param account who says it
   * @throws NotFound; InvalidRequest for a record of nobody, an unknown person, the same one, photographs of others; Refusal 200201
   */
  correct(scope: Scope, account: string, recordId: string, fields: CorrectionFields): Promise<string>
  /** Answers the id of what was said. @throws NotFound where nothing was */
  undo(scope: Scope, recordId: string): Promise<string>
  list(scope: Scope, query: data.CorrectionQuery): Promise<CorrectionPage>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<void>
}

const NEXT = 5
/** What may be wrong with a picture; any other refusal is of the moment. */
const PICTURE_REFUSALS: ReadonlySet<number> = new Set(FACE_REFUSALS)

type Passage = NonNullable<Awaited<ReturnType<typeof data.findPassage>>>
type Faces = ClinicDependencies['faces']
type Probe = Awaited<ReturnType<Faces['probe']>>

/** A threshold that never asks for less than a door does of everybody. */
const tightened = (threshold: number) => ({ threshold, loosens: false })

/** What the operation log tells of a correction. */
const logged = (row: data.CorrectionRow | undefined) =>
  row === undefined
    ? {}
    : { wrongMatchAt: row.recordId, actualPersonId: row.actualPersonId, setAside: row.askedAside, threshold: row.threshold, note: row.note }

export function createClinic(platform: Platform, { people, faces }: Pick<ClinicDependencies, 'people' | 'faces'>): Clinic {
  const db = platform.db as unknown as Database<data.Tables>
  const { matching } = faces

  async function passageOf(scope: Scope, recordId: string): Promise<Passage> {
    const passage = await data.findPassage(scope, db, recordId)
    if (passage === undefined) throw new NotFound()
    return passage
  }

  async function namesOf(scope: Scope, personIds: readonly (string | null)[]): Promise<Map<string, { name: string; workNumber: string }>> {
    const ids = new Set(personIds.flatMap((id) => id ?? []))
    return new Map((await people.facts(scope, [...ids])).map(({ id, name, workNumber }) => [id, { name, workNumber: workNumber ?? '' }]))
  }

  async function present(scope: Scope, rows: readonly data.CorrectionRow[]): Promise<Correction[]> {
    const [snapshots, unseen, names] = await Promise.all([
      data.findSnapshots(scope, db, rows),
      people.unseen(scope),
      namesOf(
        scope,
        rows.flatMap(({ personId, actualPersonId }) => [personId, actualPersonId]),
      ),
    ])
    return rows.map((row): Correction => {
      const record = snapshots.find(({ id }) => id === row.recordId)
      const { id, recordId, recordTime, personId, threshold, note, createdAt, createdBy } = row
      const actualPersonId = row.actualPersonId === null || unseen.ids.has(row.actualPersonId) ? null : row.actualPersonId
      return {
        id,
        recordId,
        recordTime,
        deviceName: record?.deviceName ?? '',
        captureThumbnail: record?.captureFileId == null ? '' : platform.storage.address(scope, record.captureFileId, '96'),
        personId,
        personName: record?.personName ?? names.get(personId)?.name ?? '',
        actualPersonId,
        actualPersonName: (actualPersonId === null ? undefined : names.get(actualPersonId)?.name) ?? '',
        score: record?.score ?? null,
        setAside: Object.keys(row.setAside),
        threshold,
        note,
        createdAt,
        createdBy,
      }
    })
  }

  /** The face in a record's picture, or why there is none to compare. */
  async function probeOf(scope: Scope, { captureFileId }: Passage): Promise<Probe | NonNullable<MatchAnalysis['unavailable']>> {
    const picture = captureFileId === null ? null : await platform.storage.load(scope, captureFileId, 'full')
    if (picture === null) return { reason: 'noPicture', code: null }
    try {
      return await faces.probe(picture, { asAtDoor: true })
    } catch (error) {
      if (error instanceof Refusal && PICTURE_REFUSALS.has(error.code)) return { reason: 'refused', code: error.code }
      throw error
    }
  }

  /** Who came in the person's place, and how like the face is to the photograph of him. */
  async function contactOf(scope: Scope, { contactId, contactName }: Passage, probe: Probe | null): Promise<MatchAnalysis['contact']> {
    if (contactId === null) return null
    const [photos, compared] = await Promise.all([
      faces.photosOfContacts(scope, [contactId]),
      probe === null ? null : faces.compareContact(scope, contactId, probe.embedding),
    ])
    const photo = photos.get(contactId)
    return {
      id: contactId,
      name: contactName,
      url: photo?.url ?? '',
      thumbnail: photo?.thumbnail ?? '',
      score: compared === null ? null : faces.scoreOf(compared),
    }
  }

  /** The person of a passage, and somebody else who came in his place and is registered as well: none of them is another one who comes next. */
  async function whoCame(scope: Scope, { personId, contactId }: Passage, matches: readonly string[]): Promise<Set<string>> {
    const came = new Set(personId === null ? [] : [personId])
    if (personId === null || contactId === null) return came
    const [contacts, persons] = await Promise.all([people.contactsOf(scope, [personId]), people.facts(scope, matches)])
    const human = contacts.get(personId)?.find(({ id }) => id === contactId)?.human
    for (const person of persons) if (human !== undefined && person.human === human) came.add(person.id)
    return came
  }

  /** Who looks most like the face, but for whoever came. */
  async function nextTo(
    scope: Scope,
    probe: Probe,
    passage: Passage,
    lookAlikes: ReadonlySet<string>,
  ): Promise<NonNullable<MatchAnalysis['next']>> {
    // The person, and the one person at most who is the contact.
    const found = await faces.searchNear(scope, probe, { limit: NEXT + 2 })
    const came = await whoCame(
      scope,
      passage,
      found.map((match) => match.personId),
    )
    const matches = found.filter((match) => !came.has(match.personId)).slice(0, NEXT)
    const ids = matches.map((match) => match.personId)
    const [names, photos] = await Promise.all([namesOf(scope, ids), faces.photosOf(scope, ids)])
    return matches.flatMap((match) => {
      const named = names.get(match.personId)
      if (named === undefined) return []
      const photo = photos.get(match.personId)?.find(({ faceId }) => faceId === match.photoId)
      return [
        {
          personId: match.personId,
          personName: named.name,
          workNumber: named.workNumber,
          score: faces.scoreOf(match.distance),
          faceId: match.photoId,
          thumbnail: photo?.thumbnail ?? '',
          lookAlike: lookAlikes.has(match.personId),
        },
      ]
    })
  }

  /**
   * Takes back what a correction did. Another one that wants the same answers for it from now on: the effect lasts as
   * long as anybody says so.
   */
  async function takeBack(tx: Tx<data.Tables>, scope: Scope, row: data.CorrectionRow): Promise<void> {
    const others = (await data.findOthersOn(scope, tx, row)).map((other) => ({ ...other, setAside: { ...other.setAside } }))
    const heirs = new Set<data.CorrectionRow>()
    const inherit = (heir: data.CorrectionRow | undefined, take: (heir: data.CorrectionRow) => void): boolean => {
      if (heir === undefined) return false
      take(heir)
      heirs.add(heir)
      return true
    }

    const orphans = Object.entries(row.setAside).filter(([faceId, at]) => {
      const heir = others.find(({ personId, askedAside }) => personId === row.personId && askedAside.includes(faceId))
      return !inherit(heir, ({ setAside }) => void (setAside[faceId] = at))
    })
    await matching.putBack(
      tx,
      scope,
      orphans.map(([faceId, at]) => ({ faceId, at })),
    )

    const samePair = (other: data.CorrectionRow) =>
      [other.personId, other.actualPersonId].toSorted().join() === [row.personId, row.actualPersonId].toSorted().join()
    if (row.pairId !== null && !inherit(others.find(samePair), (heir) => void (heir.pairId = row.pairId))) {
      const pair = await matching.pairOf(tx, scope, row.personId, row.actualPersonId!)
      if (pair?.id === row.pairId) await matching.forgetPair(tx, scope, row.pairId)
    }

    if (row.threshold !== null) {
      // Whoever set another threshold over this one would otherwise bring this one back.
      const isLater = (other: data.CorrectionRow) =>
        other.createdAt > row.createdAt || (other.createdAt === row.createdAt && other.id > row.id)
      const over = others.find(
        (other) => other.personId === row.personId && isLater(other) && other.threshold !== null && other.thresholdBefore === row.threshold,
      )
      if (!inherit(over, (heir) => void (heir.thresholdBefore = row.thresholdBefore))) {
        const now = (await matching.of(scope, [row.personId], tx)).get(row.personId)?.threshold ?? null
        if (now === row.threshold)
          await matching.setThreshold(tx, scope, row.personId, row.thresholdBefore === null ? null : tightened(row.thresholdBefore))
      }
    }

    for (const heir of heirs) await data.handOver(scope, tx, heir.id, heir)
    await data.deleteCorrection(scope, tx, row.recordId)
  }

  /** @throws InvalidRequest, NotFound where the record is of nobody, or names what it may not */
  async function assertPossible(scope: Scope, { personId }: Passage, { actualPersonId, setAside }: CorrectionFields): Promise<string> {
    const names = await namesOf(scope, [personId, actualPersonId !== null && isUuid(actualPersonId) ? actualPersonId : null])
    // Nobody, or somebody who has been deleted since.
    if (personId === null || !names.has(personId)) throw new InvalidRequest([{ path: 'id', rule: 'invalid' }])
    if (actualPersonId === personId) throw new InvalidRequest([{ path: 'actualPersonId', rule: 'invalid' }])
    if (actualPersonId !== null && !names.has(actualPersonId)) throw new InvalidRequest([{ path: 'actualPersonId', rule: 'unknown' }])
    const own = (await faces.photosOf(scope, [personId])).get(personId) ?? []
    if (setAside.some((id) => !own.some(({ faceId }) => faceId === id))) throw new InvalidRequest([{ path: 'setAside', rule: 'unknown' }])
    return personId
  }

  return {
    async analyse(scope, recordId, wishes) {
      const passage = await passageOf(scope, recordId)
      const { personId, personName } = passage
      const isThere = personId !== null && (await people.facts(scope, [personId])).length > 0
      const [probe, known, said] = await Promise.all([
        probeOf(scope, passage),
        isThere ? matching.read(scope, personId) : null,
        data.findCorrection(scope, db, recordId),
      ])
      const isFace = 'embedding' in probe
      const compared = isFace && known !== null ? await faces.compare(scope, known.personId, probe.embedding) : null
      const scores = new Map(
        (compared?.photos ?? []).flatMap(({ faceId, distance }) => (distance === null ? [] : [[faceId, faces.scoreOf(distance)]])),
      )
      /** Of these photographs as doors compare them: several are one. */
      const scoreOf = (faceIds: readonly string[]): number | null => {
        const distance = compared?.together(faceIds) ?? null
        return distance === null ? null : faces.scoreOf(distance)
      }
      const inUse = (known?.photos ?? []).flatMap(({ faceId, setAsideAt }) => (setAsideAt === null && scores.has(faceId) ? [faceId] : []))
      const score = scoreOf(inUse)
      const nearest = Math.max(...inUse.map((faceId) => scores.get(faceId)!))
      const carrier = inUse.find((faceId) => scores.get(faceId) === nearest)
      const lookAlikes = new Set(known?.lookAlikes.map((other) => other.personId))
      const [next, contact, corrections, { door }] = await Promise.all([
        wishes.next ? (isFace ? nextTo(scope, probe, passage, lookAlikes) : []) : null,
        contactOf(scope, passage, isFace ? probe : null),
        present(scope, said === undefined ? [] : [said]),
        faces.thresholdsOf(scope),
      ])
      return {
        recordId,
        personId,
        personName,
        contact,
        recordScore: passage.score,
        modelId: faces.modelId,
        unavailable: isFace ? (known === null ? { reason: 'noPerson' as const, code: null } : null) : probe,
        threshold: known === null ? door : faces.askedOf(known, known.parkThreshold),
        score,
        photos: (known?.photos ?? []).map(({ faceId, url, thumbnail, setAsideAt }) => ({
          faceId,
          url,
          thumbnail,
          score: scores.get(faceId) ?? null,
          setAsideAt,
          carried: faceId === carrier,
        })),
        scoreWithout: scoreOf(inUse.filter((faceId) => faceId !== carrier)),
        next,
        correction: corrections[0] ?? null,
      }
    },
    async correct(scope, account, recordId, fields) {
      const { actualPersonId, note } = fields
      const threshold = fields.threshold ?? null
      const setAside = [...new Set(fields.setAside)]
      const personId = await assertPossible(scope, await passageOf(scope, recordId), fields)
      const label = (await namesOf(scope, [personId])).get(personId)?.name
      return platform.transaction(async (tx: Tx<data.Tables>) => {
        await matching.lock(tx, scope)
        const passage = await data.holdPassage(scope, tx, recordId)
        if (passage === undefined) throw new NotFound()
        const before = await data.findCorrection(scope, tx, recordId)
        if (before !== undefined) await takeBack(tx, scope, before)
        platform.audit.note({
          entity: 'person',
          id: personId,
          label,
          labelMask: 'name',
          before: logged(before),
          after: { wrongMatchAt: recordId, actualPersonId, setAside, threshold, note },
        })
        const newlyAside = await matching.setAside(tx, scope, setAside, true)
        const thresholdBefore = (await matching.of(scope, [personId], tx)).get(personId)?.threshold ?? null
        if (threshold !== null) await matching.setThreshold(tx, scope, personId, tightened(threshold))
        let pairId: string | null = null
        if (actualPersonId !== null && (await matching.pairOf(tx, scope, personId, actualPersonId)) === null)
          pairId = await matching.rememberPair(tx, scope, { personId, otherId: actualPersonId, origin: 'clinic', recordId })
        const id = before?.id ?? newId()
        await data.insertCorrection(scope, tx, {
          id,
          recordId,
          recordTime: passage.time as number,
          deviceId: passage.deviceId,
          personId,
          actualPersonId,
          pairId,
          askedAside: setAside,
          setAside: Object.fromEntries(newlyAside.map(({ faceId, at }) => [faceId, at])),
          threshold,
          thresholdBefore: threshold === null ? null : thresholdBefore,
          note,
          createdBy: account,
          createdAt: platform.clock.now(),
        })
        return id
      })
    },
    async undo(scope, recordId) {
      const known = await data.findCorrection(scope, db, recordId)
      const label = known && (await namesOf(scope, [known.personId])).get(known.personId)?.name
      return platform.transaction(async (tx: Tx<data.Tables>) => {
        await matching.lock(tx, scope)
        const row = await data.findCorrection(scope, tx, recordId)
        if (row === undefined) throw new NotFound()
        await takeBack(tx, scope, row)
        platform.audit.note({ entity: 'person', id: row.personId, label, labelMask: 'name', before: logged(row), after: {} })
        return row.id
      })
    },
    async list(scope, query) {
      const { content, total } = await data.listCorrections(scope, db, query)
      return { total, content: await present(scope, content), page: query.page, size: query.size }
    },
    erasePark: (tx, scope) => data.deleteCorrectionsOfPark(scope, tx as Tx<data.Tables>),
  }
}
