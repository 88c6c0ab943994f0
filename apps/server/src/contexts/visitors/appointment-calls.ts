/** Handlers of the pages of visitors and hosts, and of the links that open them. */
import { appointmentCalls, visitorLinkCalls } from '@gatehouse/contract/visitors/appointments'
import { handler, linkHandler, type MountedCall, type Platform } from '../../platform/context.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import type { Appointments } from './appointments.ts'
import type { Links } from './links.ts'

export function appointmentHandlers(
  { storage, audit }: Pick<Platform, 'storage' | 'audit'>,
  photos: VisitorsDependencies['photos'],
  links: Links,
  appointments: Appointments,
): MountedCall[] {
  /** Store the picture of an own field, which shows whatever the park asks for. @throws Refusal 200205 */
  const fieldPicture = (scope: Scope, bytes: Buffer): Promise<string> =>
    storage
      .savePicture(scope, bytes, 'face')
      .catch((error: NodeJS.ErrnoException) => (error.code === undefined ? refuse(200205, 'file') : Promise.reject(error)))

  const reserving = links.opened('park', 'invitation')
  const visiting = links.opened('visit')
  const hosting = links.opened('host')
  return [
    handler(visitorLinkCalls.links, ({ scope, query }) => links.list(scope, query)),
    handler(visitorLinkCalls.createLink, ({ scope, body, origin }) => links.create(scope, body, origin)),
    handler(visitorLinkCalls.revokeLink, async ({ scope, params: { id } }) => {
      await links.revoke(scope, id)
      return { id }
    }),
    linkHandler(appointmentCalls.open, reserving, ({ link, language }) => appointments.open(link, language)),
    linkHandler(appointmentCalls.photo, reserving, async ({ link, body, file, ip }) => {
      await links.admit(link, ip)
      if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
      const scope = { parkId: link.parkId }
      audit.actAs({ parkId: link.parkId, userId: null, account: '', operator: '', source: 'local' })
      const fileId =
        body.of === 'field' ? await fieldPicture(scope, file.bytes) : await photos.portrait(scope, file.bytes, 'file', body.faceIndex)
      return { url: storage.address(scope, fileId, 'full'), thumbnail: storage.address(scope, fileId, '96') }
    }),
    linkHandler(appointmentCalls.submit, reserving, async ({ link, body, ip, language }) => {
      await links.admit(link, ip)
      return appointments.submit(link, body, language)
    }),
    linkHandler(appointmentCalls.status, visiting, ({ link }) => appointments.status(link)),
    linkHandler(appointmentCalls.cancel, visiting, async ({ link }) => ({ state: await appointments.cancel(link) })),
    linkHandler(appointmentCalls.hostOpen, hosting, ({ link }) => appointments.hostOpen(link)),
    linkHandler(appointmentCalls.hostAccept, hosting, async ({ link, body }) => ({
      state: await appointments.hostAccept(link, body.status),
    })),
    linkHandler(appointmentCalls.hostRefuse, hosting, async ({ link, body }) => ({
      state: await appointments.hostRefuse(link, body.status, body.reason),
    })),
  ]
}
