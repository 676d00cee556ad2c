//! Subjects: which symbol or module does a question mean? (DESIGN §6)
//!
//! A subject is an id, a dotted name, a bare name, a suffix, `path:line` or a path. One match is the subject, several
//! are candidates, never a guess; none proposes what is near.

use std::collections::BTreeSet;

use super::miss::{Candidate, Miss};
use super::paths::{self, Named};
use super::{Context, spelling};
use crate::graph::{Graph, Located, Target, last_name, locate};
use crate::names::{Line, LocalPath, SymbolId};

/// Longest subject that is looked up, in bytes. Longer than any path plus any local path.
const SUBJECT_BYTES: usize = 16 * 1024;
/// Near names that are proposed.
const PROPOSALS: usize = 5;
/// Files whose names are compared with an unknown one.
const COMPARED_FILES: usize = 20_000;

/// What a bare name means when both a module and a symbol have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prefer {
    Symbol,
    Module,
}

/// Finds the subject of a question.
pub fn find(context: &Context<'_>, text: &str, prefer: Prefer) -> Result<Located, Miss> {
    if text.len() > SUBJECT_BYTES {
        return Err(Miss::unknown(text, Vec::new(), format!("a subject has at most {SUBJECT_BYTES} bytes")));
    }
    let asked = text.trim().trim_end_matches("()");
    if asked.is_empty() {
        return Err(Miss::unknown(text, Vec::new(), HOW_TO_ASK));
    }
    let mut found = matches(context, asked, prefer)?;
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(unknown(context, asked)),
        _ => {
            let modules = context.graph.modules();
            let candidates = found.iter().map(|located| Candidate::of(located, modules)).collect();
            Err(Miss::ambiguous(asked, candidates, "ask again with the id or the path:line of one candidate"))
        }
    }
}

const HOW_TO_ASK: &str = "name an id, a dotted name, a bare name, a suffix, path:line or a path";

/// Every symbol that a text may mean. The most exact reading that means anything decides.
fn matches(context: &Context<'_>, text: &str, prefer: Prefer) -> Result<Vec<Located>, Miss> {
    let graph = context.graph;
    if let Some(located) = by_id(context, text) {
        return Ok(vec![located]);
    }
    if let Some((path, line)) = split_line(text)
        && let Some(located) = by_line(context, text, path, line)?
    {
        return Ok(vec![located]);
    }
    if let Named::File(path) = paths::find(context, text) {
        return Ok(module_of(graph, path.as_str()).into_iter().collect());
    }
    let dotted = by_dotted_name(graph, text);
    let exact_module = graph.modules().path(text).and_then(|path| module_of(graph, path.as_str()));
    match prefer {
        Prefer::Module => {
            if let Some(module) = exact_module {
                return Ok(vec![module]);
            }
            let modules = modules_by_suffix(graph, text);
            if !modules.is_empty() {
                return Ok(modules);
            }
            if !dotted.is_empty() {
                return Ok(dotted);
            }
            Ok(by_suffix(graph, text))
        }
        Prefer::Symbol => {
            if !dotted.is_empty() {
                return Ok(dotted);
            }
            let mut found = by_suffix(graph, text);
            // `cli` where the module `cli` defines a function `cli`: both may be meant.
            found.extend(exact_module);
            if found.is_empty() {
                found = modules_by_suffix(graph, text);
            }
            Ok(found)
        }
    }
}

fn module_of(graph: &dyn Graph, path: &str) -> Option<Located> {
    graph.unit(path).map(|unit| Located { unit, at: 0 })
}

/// `module:Local.path`, and the same with the module's path. Both parts may hold colons.
fn by_id(context: &Context<'_>, text: &str) -> Option<Located> {
    text.match_indices(':').find_map(|(at, _)| {
        let (module, local) = (&text[..at], &text[at + 1..]);
        if local.is_empty() {
            return None;
        }
        let path = match context.graph.modules().path(module) {
            Some(path) => path.clone(),
            None => match paths::find(context, module) {
                Named::File(path) => path,
                _ => return None,
            },
        };
        locate(context.graph, &Target { path, local: LocalPath(local.into()) })
    })
}

/// Takes `path:line`, or `path:line:column` as compilers print it, apart.
fn split_line(text: &str) -> Option<(&str, Line)> {
    let split = |text| -> Option<(&str, u32)> {
        let (rest, number) = str::rsplit_once(text, ':')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        // A number that no `u32` holds is beyond the end of every file.
        is_number.then(|| (rest, number.parse().unwrap_or(u32::MAX)))
    };
    let (rest, last) = split(text)?;
    match split(rest) {
        Some((path, line)) => Some((path, Line(line))),
        None => Some((rest, Line(last))),
    }
}

/// The innermost definition at a line; `None` when what stands before the line names neither file nor module.
fn by_line(context: &Context<'_>, text: &str, path: &str, line: Line) -> Result<Option<Located>, Miss> {
    let path = match paths::find(context, path) {
        Named::File(path) => Some(path),
        _ => context.graph.modules().path(path).cloned(),
    };
    let Some(unit) = path.and_then(|path| context.graph.unit(path.as_str())) else { return Ok(None) };
    let path = unit.path.clone();
    let last = unit.symbols[0].last.max(Line(1));
    if line < Line(1) || line > last {
        let module = Candidate::of(&Located { unit, at: 0 }, context.graph.modules());
        return Err(Miss::unknown(text, vec![module], format!("{path} has lines 1 to {last}")));
    }
    let at = unit.innermost(line);
    Ok(Some(Located { unit, at }))
}

/// `pkg.module.Class.member`: every way to read the dots that names a symbol.
fn by_dotted_name(graph: &dyn Graph, text: &str) -> Vec<Located> {
    let readings = text.match_indices('.').filter_map(|(at, _)| {
        let path = graph.modules().path(&text[..at])?.clone();
        locate(graph, &Target { path, local: LocalPath(text[at + 1..].into()) })
    });
    readings.collect()
}

/// `save`, `Order.save`, `models.Order.save`, `models:Order.save`: symbols whose id ends so, at a border of names.
pub fn by_suffix(graph: &dyn Graph, text: &str) -> Vec<Located> {
    let last = text.rsplit(['.', ':']).next().unwrap_or(text);
    let mut found = Vec::new();
    // A test's title may hold dots: it is its own last name.
    for name in BTreeSet::from([last_name(text), last]).into_iter().filter(|name| !name.is_empty()) {
        for unit in graph.defining(name) {
            let Some(module) = graph.modules().name(unit.path.as_str()) else { continue };
            for at in 1..unit.symbols.len() {
                let symbol = &unit.symbols[at];
                if symbol.name() == name && ends_with_names(module.as_str(), symbol.local.as_str(), text) {
                    found.push(Located { unit: unit.clone(), at });
                }
            }
        }
    }
    found.sort_by_key(Located::key);
    found
}

/// Whether `module:local` ends with a text, at a border of names. A dot in the text may stand for the colon.
fn ends_with_names(module: &str, local: &str, text: &str) -> bool {
    let ends = |whole: &str, text: &str| {
        whole.strip_suffix(text).is_some_and(|rest| rest.is_empty() || rest.ends_with(['.', '/', ':']))
    };
    if ends(local, text) {
        return true;
    }
    let rest = text.strip_suffix(local).and_then(|rest| rest.strip_suffix([':', '.']));
    rest.is_some_and(|rest| !rest.is_empty() && ends(module, rest))
}

/// `models` for the module `shop.models`.
fn modules_by_suffix(graph: &dyn Graph, text: &str) -> Vec<Located> {
    let entries = graph.modules().entries().iter();
    let named = entries.filter(|(_, name)| {
        name.as_str().strip_suffix(text).is_some_and(|rest| rest.is_empty() || rest.ends_with(['.', '/']))
    });
    named.filter_map(|(path, _)| module_of(graph, path.as_str())).collect()
}

/// The miss of a text that means nothing: a file that is not read, a path that leads out, or the nearest names.
fn unknown(context: &Context<'_>, text: &str) -> Miss {
    let path = split_line(text).map_or(text, |(path, _)| path);
    match paths::find(context, path) {
        Named::Skipped(skipped) => return Miss::unknown(text, Vec::new(), paths::explain(skipped)),
        Named::Outside => {
            return Miss::unknown(text, Vec::new(), "the path leads out of the root; nothing there is read");
        }
        Named::File(_) | Named::Nothing => {}
    }
    if let Some(skipped) = paths::find_skipped_module(context.snapshot.skipped, text) {
        return Miss::unknown(text, Vec::new(), paths::explain(skipped));
    }
    let near = nearest(context.graph, text, PROPOSALS);
    let hint = match near.is_empty() {
        true => "nothing has a name like this; find_symbol searches names and documentation by words",
        false => "the candidates are the nearest names; find_symbol searches names and documentation by words",
    };
    let candidates = near.iter().map(|located| Candidate::of(located, context.graph.modules())).collect();
    Miss::unknown(text, candidates, hint)
}

/// The symbols and modules whose names are nearest to a text, nearest first.
pub fn nearest(graph: &dyn Graph, text: &str, limit: usize) -> Vec<Located> {
    let text = split_line(text).map_or(text, |(path, _)| path);
    let last = text.rsplit(['.', ':', '/']).next().unwrap_or(text);
    let text = &spelling::shorten(text);
    let mut near: Vec<(usize, usize, SymbolId, Located)> = Vec::new();
    let mut add = |distance: usize, located: Located| {
        let id = located.id(graph.modules());
        // Of names equally near, the one whose whole id is most like the text.
        let whole = strsim::osa_distance(&id.to_string(), text);
        near.push((distance, whole, id, located));
        if near.len() >= 4 * limit {
            near.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
            near.truncate(limit);
        }
    };
    for entry in graph.entries().iter().take(COMPARED_FILES) {
        let path = entry.path.as_str();
        let module_distance = graph.modules().name(path).and_then(|name| {
            let forms = [spelling::distance(text, path), spelling::distance(text, name.as_str())];
            forms.into_iter().flatten().min()
        });
        let Some(unit) = graph.unit(path) else { continue };
        if let Some(distance) = module_distance {
            add(distance, Located { unit: unit.clone(), at: 0 });
        }
        for at in 1..unit.symbols.len() {
            if let Some(distance) = spelling::distance(last, unit.symbols[at].name()) {
                add(distance, Located { unit: unit.clone(), at });
            }
        }
    }
    near.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
    near.truncate(limit);
    // Beside a name that is one slip away, one that is four away is noise.
    let farthest = near.first().map_or(0, |(best, ..)| best + 1);
    near.retain(|(distance, ..)| *distance <= farthest);
    near.into_iter().map(|(.., located)| located).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::testing::{ask, graph};

    const SHOP: &str = "
        file shop/models.py = shop.models, 40 lines
        class Order 13-30
        method Order.save 28-30
        function audit 33-34
        file shop/store.py = shop.store, 20 lines
        class Order 1-9
        method Order.load 3-4
        function store 12-14
        file src/cart.test.ts = src/cart.test, 20 lines, test
        test Cart 1-20
        test Cart > adds a.b (twice) 3-6";

    fn ids(name: &str, key: &str, text: &str) -> Vec<String> {
        let answer: Value = serde_json::from_str(&ask(&graph(SHOP), name, json!({ key: text }))).unwrap();
        let id = |value: &Value| value["id"].as_str().unwrap().to_owned();
        match answer.get("symbol").or(answer.get("module")) {
            Some(head) => vec![id(head)],
            None => {
                let error = format!("{}:", answer["error"].as_str().unwrap());
                [error].into_iter().chain(answer["candidates"].as_array().unwrap().iter().map(id)).collect()
            }
        }
    }

    #[test]
    fn a_symbol_is_found_by_id_dotted_name_bare_name_and_suffix() {
        for text in
            ["shop.models:Order.save", "shop.models.Order.save", "save", "Order.save", "models:Order.save", "save()"]
        {
            assert_eq!(ids("callees", "symbol", text), ["shop.models:Order.save"], "{text}");
        }
        for text in ["src/cart.test:Cart > adds a.b (twice)", "Cart > adds a.b (twice)", "src/cart.test.ts:4"] {
            assert_eq!(ids("callees", "symbol", text), ["src/cart.test:Cart > adds a.b (twice)"], "{text}");
        }
        for text in ["shop.models", "models", "shop/models.py", "shop/models.py:40", "shop.models:40"] {
            assert_eq!(ids("callees", "symbol", text), ["shop.models"], "{text}");
        }
    }

    #[test]
    fn several_matches_are_candidates_and_never_a_guess() {
        assert_eq!(ids("callees", "symbol", "Order"), ["ambiguous:", "shop.models:Order", "shop.store:Order"]);
        assert_eq!(ids("callees", "symbol", "store.Order"), ["shop.store:Order"]);
        assert_eq!(ids("callees", "symbol", "store"), ["shop.store:store"]);
        assert_eq!(ids("imports", "module", "store"), ["shop.store"]);
    }

    #[test]
    fn an_unknown_name_proposes_the_nearest() {
        assert_eq!(ids("callees", "symbol", "Order.svae"), ["unknown:", "shop.models:Order.save"]);
        assert_eq!(ids("callees", "symbol", "shop.model:audt"), ["unknown:", "shop.models:audit"]);
        assert_eq!(ids("imports", "module", "shop.modles"), ["unknown:", "shop.models"]);
        assert_eq!(ids("imports", "module", "shop/model.py"), ["unknown:", "shop.models"]);
        for text in
            ["", "  ", ":", "::", ".", "()", "a:", &"x.".repeat(7_000), &"x".repeat(100_000), "\u{0}", "\u{202e}"]
        {
            assert_eq!(ids("callees", "symbol", text)[0], "unknown:", "{text}");
        }
    }
}
