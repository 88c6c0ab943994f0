/** Registered people a face looks like, nearest first. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { scoreInWords } from '@gatehouse/contract'
import type { MatchAnalysis } from '@gatehouse/contract/clinic/calls'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { useMay } from '../../api/session.ts'
import { path } from '../../paths.ts'
import styles from './clinic.module.css'

type Person = NonNullable<MatchAnalysis['next']>[number]

/** @param linked the name leads to the person */
export function Candidate({ person, linked = false }: { person: Person; linked?: boolean }) {
  const { t } = useTranslation('clinic')
  const { lookAlike, personId, personName, score, thumbnail, workNumber } = person
  const more = [workNumber, lookAlike && t('lookAlike')].filter(Boolean).join(' · ')
  return (
    <span className={styles.candidate}>
      <Portrait name={personName} url={thumbnail} size={56} />
      <span>
        <b>{linked ? <Link to={path('staffDetails', { id: personId })}>{personName}</Link> : personName}</b>
        <small>{more}</small>
      </span>
      <b title={t('common:pair.score')}>{scoreInWords(score)}</b>
    </span>
  )
}

export function CandidateList({ candidates }: { candidates: readonly Person[] }) {
  const mayOpen = useMay('person.list')
  return (
    <ul className={styles.next}>
      {candidates.map((person) => (
        <li key={person.personId}>
          <Candidate person={person} linked={mayOpen} />
        </li>
      ))}
    </ul>
  )
}
