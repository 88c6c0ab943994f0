/** All that is known of a person. What stands empty in most records is left out where it is. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cardNumberFormat, gender, personCardType } from '@gatehouse/contract/enums/people'
import { ID_TYPES, type Person } from '@gatehouse/contract/people/calls'
import { Facts } from '../../kit/detail/DetailPage.tsx'
import { EnumTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { DateOnly, RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { ConsentTag } from './ConsentTag.tsx'
import { Validity } from './Validity.tsx'
import styles from './people.module.css'

export function PersonFacts({ person }: { person: Person }) {
  const { t } = useTranslation('people')
  const label = useEnumLabel()
  const { cardNumber, idNumber, nationality, idPhoto, registrationPhoto } = person
  const idType = ID_TYPES.find((type) => type === person.idType)
  const card =
    cardNumber &&
    [
      cardNumber,
      ...(person.cardType === personCardType.other ? [] : [label(personCardType, person.cardType)]),
      ...(person.cardNumberFormat === cardNumberFormat.hex ? [label(cardNumberFormat, cardNumberFormat.hex)] : []),
    ].join(' · ')
  const seldom: [string, ReactNode, boolean][] = [
    [idType ? t(`idType.${idType}`) : t('idNumber'), idNumber, idNumber !== ''],
    [t('nationality'), nationality, nationality !== ''],
    ...person.customFields.map(({ title, value }): [string, ReactNode, boolean] => [title, value, value !== '']),
    [t('idPhoto'), <Picture url={idPhoto} name={t('idPhoto')} />, idPhoto !== ''],
    [t('registrationPhoto'), <Picture url={registrationPhoto} name={t('registrationPhoto')} />, registrationPhoto !== ''],
  ]
  return (
    <Facts
      facts={[
        [t('validity'), <Validity from={person.validFrom} to={person.validTo} />],
        [t('group'), person.groupName],
        [t('workNumber', { context: person.kind }), person.workNumber],
        [t('phone'), person.phone],
        [t('gender'), <EnumTag of={gender} value={person.gender} />],
        [t('birthday'), person.birthday],
        [t('cardNumber'), card],
        [t('personalPassword'), t(person.hasPersonalPassword ? 'password.isSet' : 'password.isNotSet')],
        [t('consentLabel'), <ConsentTag state={person.faceConsent} at={person.consentAt} />],
        ...seldom.filter(([, , known]) => known).map(([name, value]): [string, ReactNode] => [name, value]),
        [t('createdAt'), <DateOnly at={person.createdAt} />],
        [t('updatedAt'), <RelativeTime at={person.updatedAt} />],
        [t('remark'), person.remark],
      ]}
    />
  )
}

/** Small beside the facts; the whole of it in a window of its own. */
function Picture({ url, name }: { url: string; name: string }) {
  return (
    <a className={styles.document} href={url} target="_blank" rel="noreferrer">
      <img src={url} alt={name} loading="lazy" />
    </a>
  )
}
