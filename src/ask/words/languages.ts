/** Short common words of six languages that are no English words, to tell what language a text is in. */

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

export const LANGUAGES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['German', set('der das den dem des ein eine einen einem einer und oder aber nicht kein keine ich du er wir ihr sie mir mich dir dich uns euch ist sind bin bist hat habe haben kann kannst könnte soll muss wird werden mit von zu zum zur auf aus bei nach für über unter vor auch noch schon nur sehr bitte mal jetzt hier dort wie wo wann warum wer mein meine meinen dein deine mach mache sperr sperre schalte öffne öffnen schließ schließe starte stell stelle lösche schick schicke spiel spiele')],
  ['French', set('le la les un une des du au aux et ou mais pas ne je tu il elle nous vous ils elles mon ma mes ton ta tes son sa ses notre votre leur est sont suis es avez ai peux peut pourrais veux avec sans pour dans sur sous chez vers qui que quoi où quand comment pourquoi très bien ici là maintenant merci ouvre ouvrez ferme fermez allume éteins éteignez envoie lance lancez mets mettez supprime joue arrête')],
  ['Spanish', set('el la los las un una unos unas y o pero no yo tú él ella nosotros ellos mi mis tu tus su sus es son está están soy eres puedo puedes podrías quiero con sin para por en de del al que quien cuando donde dónde cómo porque muy más aquí ahora abre abra cierra cierre enciende apaga envía manda pon ponga borra toca reproduce para detén')],
  ['Italian', set('il lo la gli le un uno una di del della dei delle al alla dal nel nella con per tra fra e o ma non io tu lui lei noi voi loro mio mia miei tuo tua suo sua è sono sei ho hai ha puoi potresti voglio che chi quando dove come perché molto più qui adesso ora apri chiudi accendi spegni manda invia metti cancella suona ferma')],
  ['Portuguese', set('o os as um uma uns umas do da dos das no na nos nas ao com sem para por em e ou mas não eu tu ele ela nós eles meu minha teu tua seu sua é são está estão sou pode podes poderia quero que quem quando onde como porque muito mais aqui agora abre abra feche fecha liga ligue desliga desligue envia envie manda põe apaga toca')],
  ['Dutch', set('de het een en of maar niet geen ik jij je hij zij wij jullie ze mij jou ons mijn jouw zijn haar is ben bent heb hebt heeft hebben kan kun kunt zou wil wilt moet met van naar voor op bij uit aan over onder ook nog al heel hier daar nu wie wat waar wanneer hoe waarom doe open sluit zet stuur speel verwijder stop')],
])

/** Words that make a text English, whatever else is in it. */
export const ENGLISH: ReadonlySet<string> = set('the and is are was were you your my our their this that these those it its of to for with from at by not don\'t please can could would will what who when where why how which i i\'m i\'d we they he she him her them there here if but or be been have has had')
