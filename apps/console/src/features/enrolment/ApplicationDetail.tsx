/** One application: the photograph, the photographs on file, the look-alikes, and the facts that were entered. */
import { UserOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { scoreInWords } from '@gatehouse/contract'
import type { PersonApplication } from '@gatehouse/contract/enrolment/calls'
import { gender } from '@gatehouse/contract/enums/people'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import styles from './enrolment.module.css'

interface ApplicationDetailProps {
  application: PersonApplication
  busy: boolean
  /** @param personId a registered person who was recognised */
  pass: (personId?: string) => void
  reject: () => void
  children?: ReactNode
}

export function ApplicationDetail({ application, busy, pass, reject, children }: ApplicationDetailProps) {
  const { t } = useTranslation('enrolment')
  const { name, url, secondUrl, photos, similar, personId, groupName, consent, source, system } = application
  const facts: [string, ReactNode][] = [
    [t('workNumber'), application.workNumber],
    [t('phoneNumber'), application.phone],
    [t('group'), groupName],
    [t('kindTitle'), t(`kind.${application.kind}`)],
    [t('gender'), <EnumTag key="gender" of={gender} value={application.gender} />],
    [t('source'), source === 'self' ? t('sourceOf.self') : `${t('sourceOf.thirdParty')} · ${system}`],
    [t('consentTitle'), consent ? t('consentGiven') : t('consentNone')],
    [t('handedIn'), <RelativeTime key="at" at={application.createdAt} />],
  ]
  const outcome = personId !== null ? t('addsTo', { name }) : groupName === '' ? t('groupGone') : t('newPerson', { group: groupName })
  return (
    <article className={styles.detail} aria-label={name} aria-busy={busy}>
      <div className={styles.faces}>
        <Face url={url} words={t('photoHandedIn')} none={t('noPhoto')} large />
        {secondUrl !== '' && <Face url={secondUrl} words={t('secondHandedIn')} none="" />}
        {personId !== null &&
          photos.map((photo) => <Face key={photo.url} url={photo.url} words={t('onFile')} none="" large={photos.length === 1} />)}
        {personId !== null && photos.length === 0 && <p className={styles.nothing}>{t('nothingOnFile')}</p>}
        {similar.length > 0 && (
          <section className={styles.alike} aria-label={t('alike')}>
            <h2>{t('alike')}</h2>
            <p>{t('alikeQuestion')}</p>
            <ul>
              {similar.map((one) => (
                <li key={one.personId}>
                  <img src={one.url} alt={one.personName} />
                  <output title={t('score')}>{scoreInWords(one.score)}</output>
                  <b title={one.personName}>{one.personName}</b>
                  <small title={one.workNumber}>{one.workNumber}</small>
                  <Button
                    size="small"
                    disabled={busy}
                    aria-label={t('samePersonOf', { name: one.personName })}
                    onClick={() => pass(one.personId)}
                  >
                    {t('samePerson')}
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <header>
        <h2>{name}</h2>
        <p>
          {outcome}
          {similar.length === 0 && url !== '' && ` ${t('alikeNobody')}`}
        </p>
      </header>
      {children}
      <dl>
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value || '—'}</dd>
          </div>
        ))}
      </dl>
      <footer>
        <Button type="primary" size="large" loading={busy} onClick={() => pass()}>
          {t('pass')}
        </Button>
        <Button danger size="large" disabled={busy} onClick={reject}>
          {t('reject')}
        </Button>
      </footer>
    </article>
  )
}

function Face({ url, words, none, large = false }: { url: string; words: string; none: string; large?: boolean }) {
  return (
    <figure className={styles.face} data-large={large || undefined}>
      {url ? (
        <img src={url} alt={words} />
      ) : (
        <span className={styles.noFace}>
          <UserOutlined /> {none}
        </span>
      )}
      <figcaption>{words}</figcaption>
    </figure>
  )
}
