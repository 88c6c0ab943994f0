/** The latest passages: the newest large, earlier ones smaller, each sliding in as it arrives. */
import { CheckOutlined, CloseOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { isPseudonym } from '@gatehouse/contract/records/pseudonym'
import { accessResult } from '@gatehouse/contract/enums/access'
import { passDirection } from '@gatehouse/contract/enums/devices'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { usePersonName } from '../../shared/personName.ts'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { useRefusalReason } from '../../shared/refusalReason.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useContactWords } from '../../shared/contactWords.ts'
import styles from './wall.module.css'

export function Passages({ latest }: { latest: AccessRecord[] }) {
  const { t } = useTranslation('screens')
  const [newest, ...before] = latest
  return (
    <section className={styles.passages} aria-label={t('latest')}>
      <h2>{t('latest')}</h2>
      {newest === undefined ? <p className={styles.quiet}>{t('nobodyYet')}</p> : <Newest key={newest.id} record={newest} />}
      <ul>
        {before.map((record) => (
          <Earlier key={record.id} record={record} />
        ))}
      </ul>
    </section>
  )
}

function useWords(record: AccessRecord) {
  const { t } = useTranslation('screens')
  const label = useEnumLabel()
  const reasonOf = useRefusalReason()
  const nameOf = usePersonName()
  const allowed = record.result === accessResult.allowed
  return {
    allowed,
    who: nameOf(record.personId, record.personName) || t('stranger'),
    verdict: label(accessResult, record.result),
    where: [useContactWords()(record).by, record.deviceName, label(passDirection, record.direction)].filter(Boolean).join(' · '),
    why: allowed ? '' : reasonOf(record),
  }
}

function Newest({ record }: { record: AccessRecord }) {
  const { allowed, who, verdict, where, why } = useWords(record)
  return (
    <article className={styles.newest} data-allowed={allowed || undefined}>
      <Portrait
        name={isPseudonym(record.personId) ? '' : who}
        url={record.captureImage || record.captureThumbnail || record.registeredImage}
        size={320}
      />
      <div>
        <p className={styles.verdict}>
          {allowed ? <CheckOutlined /> : <CloseOutlined />} {verdict}
        </p>
        <h3>{who}</h3>
        {why && <p>{why}</p>}
        <p>{where}</p>
        <p>
          <RelativeTime at={record.time} />
        </p>
      </div>
    </article>
  )
}

function Earlier({ record }: { record: AccessRecord }) {
  const { allowed, who, verdict, where } = useWords(record)
  return (
    <li data-allowed={allowed || undefined}>
      <Portrait name={isPseudonym(record.personId) ? '' : who} url={record.captureThumbnail || record.registeredImage} size={96} />
      <span>
        <b>{who}</b>
        <small>{where}</small>
      </span>
      <span className={styles.mark} title={verdict} role="img" aria-label={verdict}>
        {allowed ? <CheckOutlined /> : <CloseOutlined />}
      </span>
    </li>
  )
}
