/** How the program is started. */

export interface Command {
  readonly program: string;
  readonly before: readonly string[];
}

/** The command of the settings, with the folder of the workspace put in. */
export function commandOf(setting: unknown, folder: string | undefined): Command {
  const words = Array.isArray(setting) ? setting.filter((word): word is string => typeof word === "string") : [];
  const [program, ...before] = words.map((word) => word.replaceAll("${workspaceFolder}", folder ?? "."));
  if (!Array.isArray(setting) || words.length !== setting.length || !program) {
    throw new Error('dunerules.command: expected a list of texts such as ["dunerules"]');
  }
  return {program, before};
}

/** A line for a terminal, in the quotes of its shell. */
export function lineOf(command: Command, rest: readonly string[], windows: boolean): string {
  const words = [command.program, ...command.before, ...rest].map((word) => quoted(word, windows));
  return windows && words[0] !== command.program ? `& ${words.join(" ")}` : words.join(" ");
}

function quoted(word: string, windows: boolean): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (windows || !word.includes("\\"))) return word;
  return windows ? `'${word.replaceAll("'", "''")}'` : `'${word.replaceAll("'", `'\\''`)}'`;
}
