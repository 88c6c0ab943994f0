/** Copies persons into another group of their park, or into another park with the values that are theirs alone. */
import type { Transaction } from '../../platform/database/database.ts'
import { NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import { createCopyPreparation } from './copy-preparation.ts'
import type { Copying, PreparedCopy } from './copying-types.ts'
import * as data from './data.ts'
import type { RegisterParts } from './parts.ts'
import { loggedPerson } from './present.ts'
import { refuseDuplicate } from './unique-values.ts'
import { groupFor } from './values.ts'

export function createCopying(parts: RegisterParts): Copying {
  const { platform, faces, groups, form, needs, admission, rows } = parts
  const { db, storage } = platform
  const prepare = createCopyPreparation(parts)

  async function write(
    tx: Transaction,
    { from, id, values, photos, idNumber }: PreparedCopy,
    group: { name: string },
    to: Scope,
    by: Partial<Pick<Actor, 'operator'>>,
  ): Promise<void> {
    await data.insertPerson(to, rows.within(tx), id, values, platform.clock.now(), { copiedFrom: from })
    await faces.adoptPhotos(tx, to, id, photos)
    await storage.keep(
      tx,
      to,
      [values.idPhoto, values.registrationPhoto].filter((file): file is string => file !== null),
    )
    if (values.consent !== 'none')
      await needs.noteConsent(tx, to, id, { state: values.consent, channel: 'form', notedBy: by.operator ?? '', note: '' })
    await rows.noteHistory(tx, to, [id])
    const after = loggedPerson(values, {
      idNumber,
      groupName: group.name,
      facePhotos: photos.map(({ id: faceId }) => faceId),
      formFields: form.read(to).fields,
    })
    platform.audit.note({ entity: 'person', id, label: values.name, labelMask: 'name', after })
  }

  return async (scope, request, to, by) => {
    const ids = [...new Set(request.ids)]
    const persons = await data.findPersons(scope, rows.reading, ids)
    if (persons.length < ids.length) throw new NotFound()
    if (persons.some(({ enabled }) => !enabled)) refuse(200224)
    const group = await groupFor(groups, to, request.groupId, request.kind == null ? persons.map(({ kind }) => kind) : [request.kind])
    const copied = await data.findCopied(to, db, request.groupId, ids)
    const copies: PreparedCopy[] = []
    for (const person of persons) if (!copied.has(person.id)) copies.push(await prepare(scope, person, request, to))
    if (copies.length === 0) return 0
    return admission
      .copy(scope, request, to, async (tx: Transaction) => {
        // Of two concurrent calls for the same copies, the second finds those of the first; what it has prepared is swept.
        const existing = new Set((await data.lockPersons(scope, tx, ids)).map(({ id }) => id))
        const copiedMeanwhile = await data.findCopied(to, tx, request.groupId, ids)
        const pending = copies.filter(({ from }) => existing.has(from) && !copiedMeanwhile.has(from))
        for (const copy of pending) await write(tx, copy, group, to, by)
        if (pending.length > 0)
          await rows.announceChange(
            tx,
            to,
            pending.map(({ id }) => id),
          )
        return pending.length
      })
      .catch(refuseDuplicate)
  }
}
