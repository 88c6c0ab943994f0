/** How doors compare this person: the strictness, the photographs, and the persons they are taken for. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { faceCalls, type PersonMatching } from '@gatehouse/contract/faces/calls'
import { DetailPage } from '../../kit/detail/DetailPage.tsx'
import { modal } from '../../kit/feedback.tsx'
import { PersonField } from '../../shared/PersonField.tsx'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { useRead } from '../../api/query.ts'
import { useMayCall } from '../../api/session.ts'
import { StrictnessField } from '../../shared/StrictnessField.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { path } from '../../paths.ts'
import { SecondPhotograph } from './SecondPhotograph.tsx'
import styles from './people.module.css'

/** Return the factor by which more strangers reach a score that is lower by so many points. */
const timesMore = (points: number): number => Math.round(10 ** (points / 10) * 10) / 10

export function Matching({ personId, name }: { personId: string; name: string }) {
  const matching = useRead(faceCalls.matching, { params: { id: personId } })
  return <DetailPage query={matching}>{(found) => <Compared matching={found} name={name} />}</DetailPage>
}

function Compared({ matching, name }: { matching: PersonMatching; name: string }) {
  const { t } = useTranslation('people')
  const threshold = useWrite(faceCalls.setThreshold, { done: t('matching.saved') })
  const mayChange = useMayCall(faceCalls.setThreshold)
  const { personId, photos, lookAlikes, parkThreshold } = matching
  const isLess = matching.threshold !== null && matching.threshold < parkThreshold
  const change = (value: number | null): void => {
    const save = (loosens: boolean): void => threshold.run({ params: { id: personId }, body: { threshold: value, loosens } })
    if (value === null || value >= parkThreshold) return save(false)
    modal.confirm({
      title: t('matching.loosen', { name }),
      content: t('matching.loosenWords', { times: timesMore(parkThreshold - value) }),
      okText: t('matching.loosenAnyway'),
      okButtonProps: { danger: true },
      onOk: () => save(true),
    })
  }
  const used = photos.filter(({ setAsideAt }) => setAsideAt === null)
  return (
    <div className={styles.matching}>
      <div>
        <h3>{t('matching.strictness')}</h3>
        <StrictnessField
          label={t('matching.strictness')}
          value={matching.threshold}
          usual={parkThreshold}
          disabled={!mayChange || threshold.pending}
          onChange={change}
        />
        {isLess && <p className={styles.hint}>{t(matching.loosens ? 'matching.loosened' : 'matching.overtaken')}</p>}
      </div>
      <div>
        <h3>{t('matching.photos')}</h3>
        <p className={styles.hint}>{t(photos.length > 1 ? 'matching.photosHint' : 'matching.onlyPhoto')}</p>
        <ul>
          {photos.map((photo, at) => (
            <Photo
              key={photo.faceId}
              photo={photo}
              name={name}
              nth={at + 1}
              fixed={!mayChange || (used.length === 1 && used[0] === photo)}
            />
          ))}
        </ul>
        {used.length === 1 && <SecondPhotograph personId={personId} />}
      </div>
      <div>
        <h3>{t('matching.lookAlikes')}</h3>
        <p className={styles.hint}>{t('matching.lookAlikesHint')}</p>
        {lookAlikes.length > 0 && (
          <ul>
            {lookAlikes.map((other) => (
              <LookAlike key={other.pairId} other={other} mayRemove={mayChange} />
            ))}
          </ul>
        )}
        {mayChange && <AddLookAlike personId={personId} />}
      </div>
    </div>
  )
}

interface PhotoProps {
  photo: PersonMatching['photos'][number]
  name: string
  nth: number
  /** The photograph cannot be set aside: it is the only one that is compared, or the user may not change it. */
  fixed: boolean
}

function Photo({ photo, name, nth, fixed }: PhotoProps) {
  const { t } = useTranslation('people')
  const aside = useWrite(faceCalls.setAside, { done: t('matching.saved') })
  const used = photo.setAsideAt === null
  return (
    <li data-aside={!used || undefined}>
      <Portrait name={name} url={photo.thumbnail} size={56} />
      <label>
        <Switch
          size="small"
          checked={used}
          loading={aside.pending}
          disabled={fixed}
          onChange={(checked) => aside.run({ params: { id: photo.faceId }, body: { setAside: !checked } })}
        />
        <span>{t(used ? 'matching.used' : 'matching.setAside', { nth })}</span>
      </label>
      {used && !photo.current && <small>{t('matching.notYet')}</small>}
    </li>
  )
}

function LookAlike({ other, mayRemove }: { other: PersonMatching['lookAlikes'][number]; mayRemove: boolean }) {
  const { t } = useTranslation('people')
  const remove = useWrite(faceCalls.removePair, { done: t('matching.pairRemoved') })
  const words = t('matching.removePair', { name: other.personName })
  return (
    <li>
      <Portrait name={other.personName} url={other.thumbnail} size={56} />
      <Link to={path('staffDetails', { id: other.personId })}>{other.personName}</Link>
      {mayRemove && (
        <Button
          type="text"
          aria-label={words}
          title={words}
          icon={<DeleteOutlined />}
          loading={remove.pending}
          onClick={() => remove.run({ params: { id: other.pairId } })}
        />
      )}
    </li>
  )
}

function AddLookAlike({ personId }: { personId: string }) {
  const { t } = useTranslation('people')
  const [open, setOpen] = useState(false)
  const add = useWrite(faceCalls.addPair, { done: t('matching.saved'), onDone: () => setOpen(false) })
  if (!open)
    return (
      <Button className={styles.addPair ?? ''} icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        {t('matching.addPair')}
      </Button>
    )
  return (
    <div className={styles.addPair}>
      <PersonField
        label={t('matching.addPair')}
        except={personId}
        value={undefined}
        disabled={add.pending}
        onChange={(otherId) => otherId !== undefined && add.run({ body: { personId, otherId } })}
      />
      <Button onClick={() => setOpen(false)}>{t('common:cancel')}</Button>
    </div>
  )
}
