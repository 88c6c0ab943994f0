/** /associatedPersonDetail/{id}: a shared person of a linked park, as far as this park may see them. */
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { gender, personStatus } from '@gatehouse/contract/enums/people'
import { associatedPersonCalls, type AssociatedPerson } from '@gatehouse/contract/people/relation'
import { DetailPage, Facts } from '../../../kit/detail/DetailPage.tsx'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { useRead } from '../../../api/query.ts'
import { DateOnly } from '../../../kit/detail/RelativeTime.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { Validity } from '../PersonTags.tsx'
import styles from '../people.module.css'

/** Pixels. */
const FACE = 232

export default function AssociatedPersonDetailPage() {
  const { id = '' } = useParams()
  const person = useRead(associatedPersonCalls.read, { query: { id } })
  return <DetailPage query={person}>{(found) => <Shown person={found} />}</DetailPage>
}

function Shown({ person }: { person: AssociatedPerson }) {
  const { t } = useTranslation('people')
  return (
    <Screen title={person.name} note={<EnumTag of={personStatus} value={person.status} />}>
      <div className={styles.head}>
        <div className={styles.photos}>
          <Portrait name={person.name} url={person.url} size={FACE} alone />
        </div>
        <Facts
          facts={[
            [t('associated.homePark'), person.parkName],
            [t('associated.since'), <DateOnly at={person.since} />],
            [t('validity'), <Validity from={person.validFrom} to={person.validTo} />],
            [t('group'), person.groupName],
            [t('workNumber'), person.workNumber],
            [t('phone'), person.phone],
            [t('gender'), <EnumTag of={gender} value={person.gender} />],
          ]}
        />
      </div>
      <p className={styles.hint}>{t('associated.keptThere', { park: person.parkName })}</p>
    </Screen>
  )
}
