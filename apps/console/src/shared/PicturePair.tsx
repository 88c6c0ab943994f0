/**
 * The face in front of the terminal and the face on file, of equal size, with the score between them and the verdict in colour and words.
 */
import { UserOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { scoreInWords } from '@gatehouse/contract'
import { accessResult } from '@gatehouse/contract/enums/access'
import { EnumTag } from '../kit/detail/EnumTag.tsx'
import styles from '../kit/kit.module.css'

interface PicturePairProps {
  captured: string
  registered: string
  /** Raw score; null where no face was compared. */
  score: number | null
  /** A value of `accessResult`; null where nothing was decided, as in a search. */
  result: number | null
  /** Name of the person in the registered picture; empty for a stranger. */
  name: string
  /** Pixels of each side of a picture. */
  size?: number
  /** Label of the left picture; absent: that it was captured. */
  leftWords?: string
  /** The score in other words than one decimal. */
  scoreWords?: string
  /** Whether the registered face is of the watch list. */
  hit?: boolean
}

export function PicturePair({ captured, registered, score, result, name, size = 160, leftWords, scoreWords, hit }: PicturePairProps) {
  const { t } = useTranslation()
  return (
    <div
      className={styles.pair}
      data-result={result ?? undefined}
      data-hit={hit || undefined}
      style={{ '--side': `${size}px` } as React.CSSProperties}
    >
      <Side url={captured} words={leftWords ?? t('pair.captured')} />
      <div className={styles.verdict}>
        {score !== null && <output title={t('pair.score')}>{scoreWords ?? scoreInWords(score)}</output>}
        {result !== null && <EnumTag of={accessResult} value={result} />}
      </div>
      <Side url={registered} words={name || t('pair.nobody')} />
    </div>
  )
}

function Side({ url, words }: { url: string; words: string }) {
  return (
    <figure>
      {url ? (
        <img src={url} alt={words} />
      ) : (
        <span className={styles.noPicture}>
          <UserOutlined />
        </span>
      )}
      <figcaption title={words}>{words}</figcaption>
    </figure>
  )
}
