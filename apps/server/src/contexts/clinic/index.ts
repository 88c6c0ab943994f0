/** The wrong-match clinic: corrections of passages that were another person's. */
import { defineContext, type Context } from '../../platform/context.ts'
import { extend } from '../../platform/extension-points.ts'
import { facesContext } from '../faces/index.ts'
import { peopleContext } from '../people/index.ts'
import { correctedRecords, recordCompanions, recordsContext } from '../records/index.ts'
import { clinicHandlers } from './calls.ts'
import { createLivenessTrial } from './clinic-liveness.ts'
import { createClinic } from './clinic.ts'
import { deleteCorrections, deleteCorrectionsBeforeUnscoped, findCorrected, pseudonymiseCorrections } from './data.ts'
import type { ClinicDependencies } from './dependencies.ts'
import { clinicMigrations } from './schema.ts'

export const clinicContext = defineContext({
  name: 'clinic',
  uses: { faces: facesContext, people: peopleContext, records: recordsContext },
  create(platform, { faces, people }): Context {
    const needs: ClinicDependencies = { people: people.service, faces: faces.service }
    const db = platform.db
    const clinic = createClinic(platform, needs)
    return {
      calls: clinicHandlers(clinic, createLivenessTrial(platform, needs)),
      migrations: clinicMigrations,
      async erasePark(tx, scope) {
        await clinic.erasePark(tx, scope)
        return {}
      },
      extensions: [
        extend(correctedRecords, (scope, recordIds) => findCorrected(scope, db, recordIds)),
        extend(recordCompanions, {
          deleted: (tx, scope, records) =>
            deleteCorrections(
              scope,
              tx,
              records.map(({ id }) => id),
            ),
          pseudonymised: (tx, scope, personId, pseudonym) => pseudonymiseCorrections(scope, tx, personId, pseudonym),
          dropped: (before) => deleteCorrectionsBeforeUnscoped(db, before),
        }),
      ],
    }
  },
})
