/** Names where writing changes nothing, or is a standard stream. */
const NOWHERE = /^\/dev\/(null|zero|full|tty|pts\/\d+|stdout|stderr|fd\/[12])$|^\/proc\/self\/fd\/[12]$/

export const isNowhere = (path: string): boolean => NOWHERE.test(path)
