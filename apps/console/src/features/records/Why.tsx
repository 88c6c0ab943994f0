/** Why the terminal decided as it did: its checks in their order, and whether the data it used was current. */
import { CheckCircleFilled, CloseCircleFilled, HistoryOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { permissionKey, type PermissionCode } from '@gatehouse/contract'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { useContactWords } from '../../shared/contactWords.ts'
import { useMay } from '../../api/session.ts'
import {
  CHANGES_SHOWN,
  changeSentence,
  checkSentence,
  checksOf,
  comparisonSentences,
  recognisedSentence,
  remedySentence,
  ruleSentences,
  thresholdSentences,
  timeInZone,
  whoSentences,
  type Compared,
  type RecordWhy,
  type Sentence,
  type Words,
} from './whyWords.ts'
import styles from './records.module.css'

/** Milliseconds by which a terminal's clock must be off to be mentioned. */
const CLOCK_NOTED = 2000

interface WhyProps {
  why: RecordWhy
  compared: Compared
  /** Whether to say what would have to change for the person to pass. */
  withRemedies: boolean
}

export function Why({ why, compared, withRemedies }: WhyProps) {
  const { t } = useTranslation('records')
  const words = useWords()
  const say = ({ key, values }: Sentence): string => t(key, values)
  const checks = checksOf(why)
  const contact = useContactWords()(
    why.contact === null
      ? {}
      : {
          contactId: why.contact.id,
          contactName: why.contact.name,
          ...(why.contact.relation !== null && { contactRelation: why.contact.relation }),
        },
  ).by
  const { clockOffsetMs } = why
  return (
    <>
      <Currency why={why} words={words} say={say} />
      {contact && <p className={styles.note}>{contact}</p>}
      {checks.length === 0 && <p className={styles.note}>{t('noChecks')}</p>}
      <ol className={styles.checks}>
        {checks.map((check, place) => {
          const below = [...ruleSentences(check, why, words), ...comparisonSentences(check, compared), ...thresholdSentences(check, why)]
          return (
            <li key={place} data-ok={check.ok}>
              {check.ok ? <CheckCircleFilled aria-label={t('passed')} /> : <CloseCircleFilled aria-label={t('failed')} />}
              <span>
                {say(checkSentence(check, why, words))}
                {below.length > 0 && <small>{below.map(say).join(' ')}</small>}
              </span>
            </li>
          )
        })}
        {why.recognised && (
          <li data-ok={false}>
            <CloseCircleFilled aria-label={t('failed')} />
            <span>{say(recognisedSentence(why.recognised))}</span>
          </li>
        )}
      </ol>
      {withRemedies && <Remedies why={why} words={words} say={say} />}
      {/* Where the server took part in the decision, its check says so. */}
      {why.recognised === null && !checks.some(({ code }) => code === 'secondVerification') && (
        <p className={styles.note}>{t('why.decided')}</p>
      )}
      {clockOffsetMs !== null && Math.abs(clockOffsetMs) >= CLOCK_NOTED && (
        <p className={styles.note}>{t('clockOff', { seconds: Math.round(clockOffsetMs / 1000) })}</p>
      )}
      {why.currency?.current && <p className={styles.note}>{t('why.current')}</p>}
      {why.currency === null && <p className={styles.note}>{t('why.currencyUnknown')}</p>}
      <p className={styles.note}>{t('why.completeSince', { since: timeInZone(why.historyCompleteSince, why.local.zone) })}</p>
    </>
  )
}

/** What would have to change, and who may change it: that user gets a link, others see whom to ask. */
function Remedies({ why: { remedy }, words, say }: { why: RecordWhy; words: Words; say: (sentence: Sentence) => string }) {
  const { t } = useTranslation('records')
  if (remedy.length === 0) return null
  return (
    <section className={styles.remedies} aria-label={t('why.remedy.title')}>
      <b>{t('why.remedy.title')}</b>
      <ul>
        {remedy.map((one) => {
          const who = whoSentences(one, words, say)
          return (
            <li key={one.code}>
              <RemedyOf remedy={one}>{say(remedySentence(one))}</RemedyOf>
              {who.length > 0 && <small>{who.map(say).join(' ')}</small>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function RemedyOf({ remedy: { permission, path, who }, children }: { remedy: RecordWhy['remedy'][number]; children: string }) {
  // Where the user may not change anything, there may be something to view.
  const mayLook = useMay(permission as PermissionCode | null)
  return path !== null && (who?.you ?? mayLook) ? <Link to={path}>{children}</Link> : children
}

/** Shown first, where the terminal used outdated data: a guard has to see this before anything else. */
function Currency({ why, words, say }: { why: RecordWhy; words: Words; say: (sentence: Sentence) => string }) {
  const { t } = useTranslation('records')
  const { currency, local } = why
  if (currency === null || currency.since === null) return null
  const more = currency.changes.length - CHANGES_SHOWN
  return (
    <div className={styles.outdated} role="note">
      <HistoryOutlined />
      <div>
        <b>{t('why.older')}</b>
        <p>{t('why.olderSince', { since: timeInZone(currency.since, local.zone) })}</p>
        <ul>
          {currency.changes.slice(0, CHANGES_SHOWN).map((change) => (
            <li key={`${change.of}${change.id}`}>
              {say(changeSentence(change, words))} <time>{timeInZone(change.since, local.zone)}</time>
            </li>
          ))}
          {more > 0 && <li>{t('why.more', { count: more })}</li>}
        </ul>
      </div>
    </div>
  )
}

function useWords(): Words {
  const { t } = useTranslation(['records', 'permissions'])
  const label = useEnumLabel()
  return {
    unbounded: t('always'),
    deleted: t('sinceDeleted'),
    separator: t('common:listSeparator'),
    method: (method) => label(accessMethod, method),
    weekday: (day) => t(`strategies:day.${day}`),
    permission: (code) => t(`permissions:code.${permissionKey(code)}`, { defaultValue: code }),
  }
}
