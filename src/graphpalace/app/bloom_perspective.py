"""Make a perspective for Neo4j Bloom, also called Explore: categories, styles and search phrases of a palace.

Neo4j publishes no schema of these files. This one has the members that Bloom 2.6 writes when it exports a perspective.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphpalace.domain.transfer.kinds import EDGES, NODES, EdgeKind, NodeKind

# What Bloom shows of a place; it should neither load vectors nor offer them as captions.
_SHOWN = {
    "wings": "name wing_type language",
    "rooms": "name hall_type",
    "closets": "title source_uri media_type tags",
    "drawers": "text wing room name author conversation project position importance",
    "entities": "name entity_type aliases drawer_count",
    "palace": "name embedding_model revision cycle",
}
_WALKED = (
    "contains", "has_room", "has_closet", "has_drawer", "hall", "tunnel", "similar_to", "references", "relates_to",
)  # fmt: skip
_SHOWN_OF_AN_EDGE = {"base_cost", "current_cost", "similarity", "count", "predicate", "confidence", "source"}
_TYPES = {"text": "string", "texts": "array", "int": "bigint", "float": "number"}  # of GraphPalace, and of Bloom
_TYPE_AS_CAPTION = "0_REL_TYPE_CAPTION_KEY"
_MADE_MS = 1_767_225_600_000  # 2026-01-01: the same palace gives the same file
_RULE = re.compile(r"^([\w.]+) \{\n(.*?)^\}$", re.MULTILINE | re.DOTALL)
_STYLE = re.compile(r"^\s+([\w-]+): (.+);$", re.MULTILINE)
_COMMENT = re.compile(r"^// (.*)\n", re.MULTILINE)


def bloom_perspective(palace: str, *, source: Path) -> dict[str, Any]:
    """Return the perspective of one palace.

    Args:
        palace: Its checked name, which the search phrases ask.
        source: The folder `cypher/browser`, with the style and the phrases.
    """
    grass = (source / "graphpalace.grass").read_text("utf-8")
    styles = {name: dict(_STYLE.findall(rule)) for name, rule in _RULE.findall(grass)}
    phrases = sorted((source / "phrases").glob("*.cypher"))
    nodes, edges = [NODES[file] for file in _SHOWN], [EDGES[file] for file in _WALKED]
    return {
        "name": f"GraphPalace {palace}",
        "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"graphpalace:perspective:{palace}")),
        "categories": [_category(number, kind, styles) for number, kind in enumerate(nodes, start=1)],
        "labels": {
            kind.label: [{"propertyKey": name, "type": kind.label, "dataType": of} for name, of in _shown(kind).items()]
            for kind in nodes
        },
        "relationshipTypes": [_relationship_type(kind, styles) for kind in edges],
        "palette": {"colors": [styles[f"node.{kind.label}"]["color"] for kind in nodes], "currentIndex": len(nodes)},
        "createdAt": _MADE_MS,
        "lastEditedAt": _MADE_MS,
        "templates": [
            _phrase(_MADE_MS + number, path.read_text("utf-8").replace("'main'", f"'{palace}'"))
            for number, path in enumerate(phrases)
        ],
        "hiddenRelationshipTypes": [],
        "hiddenCategories": [],
        "hideUncategorisedData": True,  # such as the change feed and the deposits
        "isAuto": False,
        "parentPerspectiveId": None,
        "metadata": {
            "pathSegments": [
                {
                    "source": NODES[kind.source].label,
                    "relationshipType": kind.type,
                    "target": NODES[kind.target].label,
                }
                for kind in edges
            ],
            "indexes": [],
            "stats": {"labels": {}, "relationshipTypes": {}},
        },
        "sceneActions": [],
        "version": "2.6.0",
    }


def _shown(kind: NodeKind | EdgeKind) -> dict[str, str]:
    """Return the properties that are shown, with their types in the words of Bloom."""
    names = _SHOWN[kind.file].split() if isinstance(kind, NodeKind) else sorted(_SHOWN_OF_AN_EDGE & {*kind.properties})
    return {name: _TYPES[kind.properties[name]] for name in names}


def _category(number: int, kind: NodeKind, styles: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    style = styles[f"node.{kind.label}"]
    return {
        "id": number,
        "name": kind.label,
        "labels": [kind.label],
        "properties": [{"name": name, "exclude": False, "dataType": of} for name, of in _shown(kind).items()],
        "createdAt": _MADE_MS,
        "lastEditedAt": _MADE_MS,
        "color": style["color"],
        "size": 1,
        "icon": "no-icon",
        "captionKeys": [style["caption"].strip("'{}")],
        "styleRules": [],
    }


def _relationship_type(kind: EdgeKind, styles: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    style = {**styles["relationship"], **styles.get(f"relationship.{kind.type}", {})}
    caption = style["caption"].strip("'{}")
    return {
        "id": kind.type,
        "name": kind.type,
        "properties": [{"propertyKey": name, "type": kind.type, "dataType": of} for name, of in _shown(kind).items()],
        "color": style["color"],
        "size": 1,
        "captionKeys": [_TYPE_AS_CAPTION if caption == "<type>" else caption],
    }


def _phrase(made_ms: int, text: str) -> dict[str, Any]:
    """Return a search phrase: its words, what it is for, and where Bloom finds values to suggest."""
    words, purpose, *suggestions = _COMMENT.findall(text)
    return {
        "name": purpose,
        "id": f"tmpl:{made_ms}",
        "createdAt": made_ms,
        "text": words,
        "cypher": _COMMENT.sub("", text).strip(),
        "isUpdateQuery": None,
        "params": [_parameter(*suggestion.split(": ")) for suggestion in suggestions],
        "hasCypherErrors": False,
    }


def _parameter(name: str, suggested: str) -> dict[str, Any]:
    label, _, prop = suggested.partition(".")
    return {
        "name": name,
        "dataType": "String",
        "collapsed": False,
        "suggestionLabel": label,
        "suggestionProp": prop,
        "suggestionBoolean": False,
        "cypher": None,
    }
